import type { BlockList } from 'node:net';
import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { groupExists, mayUseGroup } from '../../domain/pricing/groups.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { allowsAddress } from '../../infra/web/address-list.ts';
import type { RoutingTable, Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { callError, relayError } from '../protocol/relay-errors.ts';
import type { Caller } from './caller.ts';

/** The client address has to be on the list of the token. */
export const checkAddress = (list: BlockList, address: string): ApiError | null =>
  allowsAddress(list, address) ? null : relayError('ip_not_allowed');

/** The group that the call is routed and priced under: usable by the owner, and existing. */
export const groupOf = (caller: Caller, prices: PriceTable): string | ApiError => {
  const own = caller.account.group === '' ? 'default' : caller.account.group;
  const group = caller.tokenGroup;
  if (group === '' || group === own) return own;
  if (!mayUseGroup(prices, own, group)) {
    return relayError('group_not_allowed', `Group ${group} of the API key is not open to you`);
  }
  if (!groupExists(prices, group)) {
    return relayError('group_deprecated', `Group ${group} of the API key no longer exists`);
  }
  return group;
};

/** The requested model, before any mapping, has to be on the token's list, if the list is on. */
export const checkModel = (caller: Caller, model: string): ApiError | null => {
  const models = caller.token?.models ?? null;
  if (models === null || models.has(model)) return null;
  return relayError('model_not_allowed', `This API key may not use model ${model}`);
};

export type Route = Readonly<{
  tiers: readonly Tier[];
  /** Set when an administrator pinned the channel: no other is tried. */
  pinned: UpstreamChannel | null;
}>;

/**
 * Only the channel that stores what the call continues can answer, as long as it serves the model.
 */
export const routeTo = (
  route: Route | ApiError,
  madeBy: ChannelId | undefined,
): Route | ApiError => {
  if (madeBy === undefined || !('tiers' in route)) return route;
  const channels = route.tiers.flatMap((tier) => tier.channels);
  const maker = channels.find(({ channelId }) => channelId === madeBy);
  return maker === undefined ? route : { tiers: [], pinned: maker };
};

/** The model is unknown to the group, or every channel that serves it is disabled for now. */
const notServed = (
  table: RoutingTable,
  { group, model }: Readonly<{ group: string; model: string }>,
): ApiError =>
  table.isPaused(group, model)
    ? relayError('model_unavailable', `Every channel of model ${model} is disabled now`)
    : callError(
        'model_not_found',
        `The model ${model} does not exist, or is not served to group ${group}`,
        'model',
      );

/** Where the call may go: the enabled pinned channel, or the tiers that serve the model. */
export const routeFor = (
  caller: Caller,
  table: RoutingTable,
  { group, model }: Readonly<{ group: string; model: string }>,
): Route | ApiError => {
  if (caller.pinnedChannelId !== null) {
    const channel = table.channel(caller.pinnedChannelId);
    if (channel === undefined) {
      return relayError('invalid_channel_id', 'There is no channel of this number');
    }
    if (!channel.enabled) {
      return relayError('channel_disabled');
    }
    return { tiers: [], pinned: channel };
  }
  const tiers = table.tiers(group, model);
  if (tiers.length > 0) return { tiers, pinned: null };
  return notServed(table, { group, model });
};
