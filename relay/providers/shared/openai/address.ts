import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import type { OpenAiRules } from './rules.ts';

export type Address = Readonly<{ origin: string; path: string }>;

type Base = Readonly<{ origin: string; prefix: string }>;

const bases = new WeakMap<UpstreamChannel, Base | null>();
const cloudflareGateway = 'https://gateway.ai.cloudflare.com';

const parseBase = (channel: UpstreamChannel, rules: OpenAiRules): Base | null => {
  const text = (channel.settings.baseUrl || rules.baseUrl).replace(/\/+$/, '');
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return { origin: url.origin, prefix: url.pathname === '/' ? '' : url.pathname };
};

const baseOf = (channel: UpstreamChannel, rules: OpenAiRules): Base | null => {
  const known = bases.get(channel);
  if (known !== undefined) return known;
  const base = parseBase(channel, rules);
  bases.set(channel, base);
  return base;
};

const fullAddress = (channel: UpstreamChannel, upstreamModel: string): Address | null => {
  const text = channel.settings.baseUrl.replaceAll('{model}', upstreamModel);
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return { origin: url.origin, path: url.pathname + url.search };
};

const ownPath = (path: string, { paths }: OpenAiRules): string => {
  if (paths === undefined) return path;
  const query = path.indexOf('?');
  const plain = query === -1 ? path : path.slice(0, query);
  const other = paths[plain];
  return other === undefined ? path : other + (query === -1 ? '' : path.slice(query));
};

/** Base and path as received, or the whole URL of a custom channel; null: no usable base URL. */
export const addressOf = (
  channel: UpstreamChannel,
  rules: OpenAiRules,
  { path, upstreamModel }: Readonly<{ path: string; upstreamModel: string }>,
): Address | null => {
  if (rules.fullUrl) return fullAddress(channel, upstreamModel);
  const base = baseOf(channel, rules);
  if (base === null) return null;
  const own = ownPath(path, rules);
  // That gateway's own path already contains provider and version.
  const cut =
    base.origin === cloudflareGateway && rules.cloudflareGateway && own.startsWith('/v1/');
  return { origin: base.origin, path: base.prefix + (cut ? own.slice(3) : own) };
};
