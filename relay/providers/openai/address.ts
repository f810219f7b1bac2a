import type { UpstreamChannel } from '../../routing/upstream-channel.ts';
import type { Variant } from './variants.ts';

export type Address = Readonly<{ origin: string; path: string }>;

type Base = Readonly<{ origin: string; prefix: string }>;

const bases = new WeakMap<UpstreamChannel, Base | null>();
const cloudflareGateway = 'https://gateway.ai.cloudflare.com';

const parseBase = (channel: UpstreamChannel, variant: Variant): Base | null => {
  const text = (channel.settings.baseUrl || variant.baseUrl).replace(/\/+$/, '');
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return { origin: url.origin, prefix: url.pathname === '/' ? '' : url.pathname };
};

const baseOf = (channel: UpstreamChannel, variant: Variant): Base | null => {
  const known = bases.get(channel);
  if (known !== undefined) return known;
  const base = parseBase(channel, variant);
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

const variantPath = (path: string, { paths }: Variant): string => {
  if (paths === undefined) return path;
  const query = path.indexOf('?');
  const plain = query === -1 ? path : path.slice(0, query);
  const other = paths[plain];
  return other === undefined ? path : other + (query === -1 ? '' : path.slice(query));
};

/** Base and path as received, or the whole URL of a custom channel; null: no usable base URL. */
export const addressOf = (
  channel: UpstreamChannel,
  variant: Variant,
  { path, upstreamModel }: Readonly<{ path: string; upstreamModel: string }>,
): Address | null => {
  if (variant.fullUrl) return fullAddress(channel, upstreamModel);
  const base = baseOf(channel, variant);
  if (base === null) return null;
  const own = variantPath(path, variant);
  // That gateway's own path already says which provider and version.
  const cut = base.origin === cloudflareGateway && variant.type === 1 && own.startsWith('/v1/');
  return { origin: base.origin, path: base.prefix + (cut ? own.slice(3) : own) };
};
