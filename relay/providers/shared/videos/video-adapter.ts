import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import type { ApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import type { ProviderIo } from '../../../upstream/types.ts';

/** The picture that a video begins with. */
export type VideoPicture =
  | Readonly<{ kind: 'file'; fileName: string; contentType: string; bytes: Buffer }>
  /** Of http, or one that holds the picture itself (`data:`). */
  | Readonly<{ kind: 'url'; url: string }>;

/** The request of a caller of OpenAI's Videos API, with all defaults filled in. */
export type VideoOrder = Readonly<{
  prompt: string;
  /** The name that goes up. */
  model: string;
  seconds: number;
  /** Width and height in pixels, e.g. "1280x720". */
  size: string;
  picture: VideoPicture | null;
}>;

export type VideoContext = Readonly<{
  channel: UpstreamChannel;
  /** Unix seconds. */
  now: number;
  io: ProviderIo;
  /** The name that the caller requested; "" for a video that exists at the provider already. */
  requestedModel: string;
}>;

/** A call to the provider, below the base address of the channel. */
export type VideoCall = Readonly<{
  method: 'GET' | 'POST' | 'DELETE';
  /** For a channel without an address, where that of the adapter does not apply. */
  baseUrl?: string;
  path: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: FormData | object | null;
}>;

export type VideoStatus = Readonly<{
  state: 'queued' | 'running' | 'done' | 'failed';
  /** Percent, from 0 to 100; null where the provider does not report it. */
  percent: number | null;
  /** Unix seconds; 0 while it has not ended. */
  finishedAt: number;
  /** Why it failed; null where it has not. */
  error: Readonly<{ code: string; message: string }> | null;
  /** Where the video is, of providers that give an address; "" for none. */
  url: string;
  /** Unix seconds; 0 where the provider does not report it. */
  expiresAt: number;
}>;

export const videoVariants = ['video', 'thumbnail', 'spritesheet'] as const;
export type VideoVariant = (typeof videoVariants)[number];

/** Some providers need an access token first. */
type Prepared = VideoCall | Promise<VideoCall>;

/**
 * One provider of videos: how a video is requested, polled, fetched and deleted there. What makes a
 * call may throw a refusal, where the channel lacks what that needs.
 */
export type VideoAdapter = Readonly<{
  /** For a channel without an address. */
  baseUrl: string;
  /** The default model; it is sent and paid for by name. */
  defaults: Readonly<{ seconds: number; size: string }>;
  /** What the provider cannot do of an order; null: nothing. */
  problem: (order: Omit<VideoOrder, 'model'>) => ApiError | null;
  create: (order: VideoOrder, context: VideoContext) => Prepared;
  /** Id of the video at the provider; null: it was not accepted. */
  accepted: (answer: JsonObject, order: VideoOrder) => string | null;
  poll: (upstreamId: string, context: VideoContext) => Prepared;
  /** null: the answer contains no video. */
  status: (answer: JsonObject) => VideoStatus | null;
  /**
   * Its `status` reads answers above 299 too: the provider reports in one that a video has failed.
   */
  readsRefusals?: true;
  /** Absent: the video is at the address that its status names. */
  content?: (upstreamId: string, variant: VideoVariant, context: VideoContext) => Prepared;
  /**
   * The member of the answers to `poll` and `content` that is the video itself, in Base64. A poll
   * reads such an answer no further than into it.
   */
  inlineVideo?: string;
  /**
   * What the address that a status names takes where it is on the host of the channel. Redirects of
   * that host are followed, and take this on no other one. Absent: nothing, and none is followed.
   */
  fileHeaders?: (context: VideoContext) => Readonly<Record<string, string>>;
  /** A new video made from another one. Absent: the provider has no such call. */
  remix?: (upstreamId: string, prompt: string, context: VideoContext) => Prepared;
  /** Absent: the provider keeps videos until they expire. */
  remove?: (upstreamId: string, context: VideoContext) => Prepared;
}>;

/** An order that a provider cannot carry out; the caller's mistake. */
export const videoProblem = (param: string, message: string): ApiError => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  code: 'invalid_value',
  param,
});

/** Width and height of a size such as "1280x720". */
export const sidesOf = (size: string): readonly [width: number, height: number] => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return [width, height];
};

const ratios: readonly (readonly [name: string, value: number])[] = [
  ['16:9', 16 / 9],
  ['9:16', 9 / 16],
  ['1:1', 1],
];

/** Pixels are whole: 1792x1024 is 7:4, and no 16:9. */
const tolerance = 0.01;

/** The aspect ratio of a size by the name that providers have for it; null: none of these. */
export const aspectOf = (size: string): string | null => {
  const [width, height] = sidesOf(size);
  const found = ratios.find(([, value]) => Math.abs(width / height / value - 1) < tolerance);
  return found?.[0] ?? null;
};

/** The same as text, for a JSON body. `data:` contains the type of the picture. */
export const pictureText = (picture: VideoPicture): string =>
  picture.kind === 'url'
    ? picture.url
    : `data:${picture.contentType};base64,${picture.bytes.toString('base64')}`;

const asData = /^data:([^;,]+);base64,(.*)$/s;

/** The picture itself; null: it is stored elsewhere. */
export const pictureBytes = (
  picture: VideoPicture,
): Readonly<{ contentType: string; base64: string }> | null => {
  if (picture.kind === 'file') {
    return { contentType: picture.contentType, base64: picture.bytes.toString('base64') };
  }
  const [, contentType, base64] = asData.exec(picture.url) ?? [];
  return contentType === undefined || base64 === undefined ? null : { contentType, base64 };
};
