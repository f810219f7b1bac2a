import { isIP } from 'node:net';
import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { groupExists, mayUseGroup } from '../../domain/pricing/groups.ts';
import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import type { RoutingTable, Tier } from '../routing/routing-table.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import type { Caller } from './caller.ts';

/** Check 12: the addresses that the token may be used from. */
export const checkAddress = (caller: Caller, address: string): ApiError | null => {
  const list = caller.token?.addresses ?? null;
  if (list === null) return null;
  const version = isIP(address);
  const allowed = version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  if (allowed) return null;
  return gatewayError(403, 'ip_not_allowed', 'Your address is not on the list of this API key');
};

/** Checks 14 and 15: the group that the call is routed and priced under. */
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

/** Check 17: the models that the token may be used for, by the name that was asked for. */
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

/** Checks 16 and 18: where the call may go. */
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
