import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { isApiError } from '../protocol/api-error.ts';
import { callError } from '../protocol/relay-errors.ts';
import type { Route } from './access.ts';

/** 0: no limit. */
const limitOf = ({ settings }: UpstreamChannel): number => settings.maxInputTokens ?? 0;

const channelsOf = ({ tiers, pinned }: Route): readonly UpstreamChannel[] =>
  pinned === null ? tiers.flatMap(({ channels }) => channels) : [pinned];

const limitsOf = (route: Route): readonly number[] =>
  channelsOf(route)
    .map(limitOf)
    .filter((limit) => limit > 0);

/** Parts that count as many tokens, however few bytes they are. */
const partNames = ['"image', '"input_audio"', '"file"', '"inlineData"'];

/** A token of text is at least a byte, so that a short text needs no counting. */
export const needsCount = (route: Route, body: Buffer): boolean => {
  const limits = limitsOf(route);
  if (limits.length === 0) return false;
  return body.length > Math.min(...limits) || partNames.some((name) => body.includes(name));
};

const tooLong = (promptTokens: number, max: number): ApiError =>
  callError(
    'context_length_exceeded',
    `The prompt has ${promptTokens} tokens; no channel of this model takes more than ${max}`,
  );

/** The channels that take a prompt of this length; all of them while it has not been counted. */
export const routeWithin = (
  route: Route | ApiError,
  promptTokens: number | undefined,
): Route | ApiError => {
  if (promptTokens === undefined || isApiError(route)) return route;
  const takes = (channel: UpstreamChannel): boolean =>
    limitOf(channel) === 0 || limitOf(channel) >= promptTokens;
  if (route.pinned !== null) {
    return takes(route.pinned) ? route : tooLong(promptTokens, limitOf(route.pinned));
  }
  const tiers = route.tiers
    .map(({ priority, channels }): Tier => ({ priority, channels: channels.filter(takes) }))
    .filter(({ channels }) => channels.length > 0);
  return tiers.length > 0
    ? { tiers, pinned: null }
    : tooLong(promptTokens, Math.max(...limitsOf(route)));
};
