import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { relayError } from '../../protocol/relay-errors.ts';

export type BaseAddress = Readonly<{ origin: string; prefix: string }>;

const noBase = relayError('invalid_base_url');
type Known = Readonly<{ fallback: string; base: BaseAddress | ApiError }>;
const bases = new WeakMap<UpstreamChannel, Known>();

const parse = (text: string): BaseAddress | ApiError => {
  if (!URL.canParse(text)) return noBase;
  const { origin, pathname, protocol } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return noBase;
  return { origin, prefix: pathname === '/' ? '' : pathname };
};

/**
 * Where a channel's calls go, parsed once for each change of the channel. Of a provider with a host
 * for each region, calls of one channel have several fallbacks.
 */
export const baseAddress = (channel: UpstreamChannel, fallback: string): BaseAddress | ApiError => {
  const known = bases.get(channel);
  if (known?.fallback === fallback) return known.base;
  const base = parse((channel.settings.baseUrl || fallback).replace(/\/+$/, ''));
  bases.set(channel, { fallback, base });
  return base;
};
