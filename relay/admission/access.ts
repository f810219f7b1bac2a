import type { BlockList } from 'node:net';
import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { groupExists, mayUseGroup } from '../../domain/pricing/groups.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { allowsAddress } from '../../infra/web/address-list.ts';
import type { RoutingTable, Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, gatewayError } from '../protocol/api-error.ts';
import type { Caller } from './caller.ts';

/** The client address has to be on the list of the token. */
export const checkAddress = (list: BlockList, address: string): ApiError | null =>
  allowsAddress(list, address)
    ? null
    : gatewayError(403, 'ip_not_allowed', 'Your address is not on the list of this API key');

/** The group that the call is routed and priced under: usable by the owner, and existing. */
export const groupOf = (caller: Caller, prices: PriceTable): string | ApiError => {
  const own = caller.account.group === '' ? 'default' : caller.account.group;
  const group = caller.tokenGroup;
  if (group === '' || group === own) return own;
  if (!mayUseGroup(prices, own, group)) {
    return gatewayError(
      403,
      'group_not_allowed',
      `Group ${group} of the API key is not open to you`,
    );
  }
  if (!groupExists(prices, group)) {
    return gatewayError(403, 'group_deprecated', `Group ${group} of the API key no longer exists`);
  }
  return group;
};

/** The requested model, before any mapping, has to be on the token's list, if the list is on. */
export const checkModel = (caller: Caller, model: string): ApiError | null => {
  const models = caller.token?.models ?? null;
  if (models === null || models.has(model)) return null;
  return gatewayError(403, 'model_not_allowed', `This API key may not use model ${model}`);
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

/** Where the call may go: the enabled pinned channel, or the tiers that serve the model. */
export const routeFor = (
  caller: Caller,
  table: RoutingTable,
  { group, model }: Readonly<{ group: string; model: string }>,
): Route | ApiError => {
  if (caller.pinnedChannelId !== null) {
    const channel = table.channel(caller.pinnedChannelId);
    if (channel === undefined) {
      return gatewayError(400, 'invalid_channel_id', 'There is no channel of this number');
    }
    if (!channel.enabled) {
      return gatewayError(403, 'channel_disabled', 'The channel is disabled');
    }
    return { tiers: [], pinned: channel };
  }
  const tiers = table.tiers(group, model);
  if (tiers.length > 0) return { tiers, pinned: null };
  return gatewayError(503, 'model_not_found', `No channel serves model ${model} to group ${group}`);
};
