import { refuseRequest } from '../../protocol/refusal.ts';
import type { ProviderIo } from '../../upstream/types.ts';

/** A file inside a request: `data` is base64. */
export type Media = Readonly<{ mimeType: string; data: string }>;

export type MediaLoader = (source: string) => Promise<Media>;

/** Base64 grows by a third; larger pictures are refused by all providers that take them inline. */
export const maxMediaBytes = 20 * 1024 * 1024;

const signatures: readonly (readonly [start: string, mimeType: string])[] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
  ['25504446', 'application/pdf'],
];

/** By the first bytes of the file; null when it is none of the usual kinds. */
const sniff = (bytes: Buffer): string | null => {
  const hex = bytes.subarray(0, 12).toString('hex');
  const known = signatures.find(([start]) => hex.startsWith(start))?.[1];
  if (known !== undefined) return known;
  const isWebp =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : null;
};

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);

/** `data:<type>;base64,<data>` without copying the data through a pattern. */
const dataUrl = (source: string): Media | null => {
  const comma = source.indexOf(',');
  if (!source.startsWith('data:') || comma === -1) return null;
  const [mimeType = '', ...flags] = source.slice('data:'.length, comma).split(';');
  const data = source.slice(comma + 1);
  if (flags.includes('base64')) return { mimeType: mimeType || 'application/octet-stream', data };
  const bytes = Buffer.from(decodeURIComponent(data));
  return { mimeType: mimeType || 'text/plain', data: bytes.toString('base64') };
};

const bare = (source: string): Media => {
  const start = Buffer.from(source.slice(0, 64), 'base64');
  const mimeType = isBase64(source.slice(0, 4_096)) ? sniff(start) : null;
  return mimeType === null
    ? refuseRequest('A file must be a data URL, an address or base64 of a supported type')
    : { mimeType, data: source };
};

const download = async (url: string, io: ProviderIo): Promise<Media> => {
  const reply = await io
    .fetch({
      method: 'GET',
      url,
      headers: { accept: '*/*' },
      body: null,
      publicOnly: true,
      maxBytes: maxMediaBytes,
    })
    .catch(() => refuseRequest('A file could not be fetched from its address'));
  if (reply.status < 200 || reply.status > 299) {
    return refuseRequest(`A file could not be fetched from its address (status ${reply.status})`);
  }
  if (reply.body.length > maxMediaBytes) {
    return refuseRequest('A file at an address is larger than 20 MiB');
  }
  const declared = (reply.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isVague = declared === '' || declared.endsWith('/octet-stream');
  const mimeType = (isVague ? sniff(reply.body) : declared) ?? 'application/octet-stream';
  return { mimeType, data: reply.body.toString('base64') };
};

/**
 * Reads data URLs, bare base64 and, once for each request, public addresses.
 * The loader throws a refusal for what cannot be read.
 */
export const createMediaLoader = (io: ProviderIo): MediaLoader => {
  const known = new Map<string, Promise<Media>>();
  return async (source) => {
    if (!/^https?:\/\//i.test(source)) return dataUrl(source) ?? bare(source);
    const media = known.get(source) ?? download(source, io);
    known.set(source, media);
    return media;
  };
};
