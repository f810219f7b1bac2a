import type { Route } from '../admission/access.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { ApiError } from '../protocol/api-error.ts';

type IsFit = (channelType: number) => boolean;

/** The tiers with those channels alone that can do the work. */
export const fitTiers = (tiers: readonly Tier[], isFit: IsFit): readonly Tier[] =>
  tiers
    .map(({ priority, channels }) => ({
      priority,
      channels: channels.filter(({ type }) => isFit(type)),
    }))
    .filter(({ channels }) => channels.length > 0);

/** The route with those channels alone that can do the work; or what `refusal` returns: none can. */
export const fitRoute = (
  route: Route,
  isFit: IsFit,
  refusal: (tiers: readonly Tier[]) => ApiError,
): Route | ApiError => {
  const { tiers, pinned } = route;
  const all = pinned === null ? tiers : [{ priority: 0, channels: [pinned] }];
  const fit = fitTiers(all, isFit);
  if (fit.length === 0) return refusal(all);
  return pinned === null ? { tiers: fit, pinned } : route;
};
