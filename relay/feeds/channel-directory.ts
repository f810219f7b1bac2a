import type { ChannelFeedEntry } from '../../domain/channel/feed.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { FeedEntry } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { RelayVault } from '../../infra/ports/vault.ts';
import { compileChannel, type UpstreamChannel } from './upstream-channel.ts';

/** Channels of one priority, from which one is drawn by weight. */
export type Tier = Readonly<{ priority: number; channels: readonly UpstreamChannel[] }>;

/** An immutable view of all channels; a change of one makes a new table. */
export type RoutingTable = Readonly<{
  /** Tiers for a group and model, highest priority first; empty when no channel serves it. */
  tiers: (group: string, model: string) => readonly Tier[];
  channel: (id: ChannelId) => UpstreamChannel | undefined;
  /** A channel that is disabled now serves the model to the group. */
  isPaused: (group: string, model: string) => boolean;
  /** Models that enabled channels serve to a group, sorted. */
  models: (group: string) => readonly string[];
  /** An enabled channel takes prompts up to a length only. */
  limitsInput: boolean;
  /** An enabled channel that serves the model to the group: who owns it, in lists of models. */
  server: (group: string, model: string) => UpstreamChannel | undefined;
}>;

/** Custom assistants are served under the wildcard of their family. */
const servedName = (model: string): string => {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*';
  return model.startsWith('gpt-4o-gizmo') ? 'gpt-4o-gizmo-*' : model;
};

const tiersOf = (channels: readonly UpstreamChannel[]): readonly Tier[] => {
  const byPriority = new Map<number, UpstreamChannel[]>();
  for (const channel of channels) {
    const tier = byPriority.get(channel.settings.priority);
    if (tier === undefined) byPriority.set(channel.settings.priority, [channel]);
    else tier.push(channel);
  }
  return [...byPriority]
    .sort(([a], [b]) => b - a)
    .map(([priority, members]) => ({ priority, channels: members }));
};

const modelsOf = (channels: readonly UpstreamChannel[], group: string): readonly string[] => {
  const names = new Set<string>();
  for (const channel of channels) {
    if (channel.groups.has(group)) for (const model of channel.models) names.add(model);
  }
  return [...names].sort();
};

/** Routes are found on the first request for them, so that a change costs nothing by itself. */
const createTable = (byId: ReadonlyMap<ChannelId, UpstreamChannel>): RoutingTable => {
  const enabled = [...byId.values()].filter((channel) => channel.enabled);
  const routes = new Map<string, Map<string, readonly Tier[]>>();
  const lists = new Map<string, readonly string[]>();
  const serving = (group: string, name: string) =>
    enabled.filter((channel) => channel.groups.has(group) && channel.models.has(name));

  const tiers = (group: string, model: string): readonly Tier[] => {
    const known = routes.get(group)?.get(model);
    if (known !== undefined) return known;
    const name = servedName(model);
    const found = tiersOf(serving(group, name));
    // Only names that channels list are kept: clients may send any other.
    if (found.length > 0 && name === model) {
      const ofGroup = routes.get(group) ?? new Map<string, readonly Tier[]>();
      ofGroup.set(model, found);
      routes.set(group, ofGroup);
    }
    return found;
  };

  const models = (group: string): readonly string[] => {
    const known = lists.get(group);
    if (known !== undefined) return known;
    const list = modelsOf(enabled, group);
    if (list.length > 0) lists.set(group, list);
    return list;
  };

  return {
    tiers,
    models,
    limitsInput: enabled.some(({ settings }) => (settings.maxInputTokens ?? 0) > 0),
    channel: (id) => byId.get(id),
    isPaused: (group, model) => {
      const name = servedName(model);
      return [...byId.values()].some(
        (own) => !own.enabled && own.groups.has(group) && own.models.has(name),
      );
    },
    server: (group, model) => tiers(group, model)[0]?.channels[0],
  };
};

export type ChannelDirectory = Readonly<{
  apply: (entries: readonly FeedEntry<ChannelFeedEntry>[]) => void;
  /** There are other keys: channels whose own could not be opened may open now. */
  reopen: () => void;
  table: () => RoutingTable;
}>;

export const createChannelDirectory = (vault: RelayVault, logger: Logger): ChannelDirectory => {
  const byId = new Map<ChannelId, UpstreamChannel>();
  const positions = new Map<string, bigint>();
  let table = createTable(byId);

  /** Entries whose key did not open. */
  const unopened = new Map<string, ChannelFeedEntry>();

  const open = (key: string, entry: ChannelFeedEntry): void => {
    unopened.delete(key);
    try {
      byId.set(entry.channelId, compileChannel(entry, vault));
    } catch (error) {
      unopened.set(key, entry);
      logger.error({ err: error, channelId: entry.channelId }, 'channel key cannot be opened');
    }
  };

  const take = ({ key, position, value }: FeedEntry<ChannelFeedEntry>): void => {
    if (position < (positions.get(key) ?? -1n)) return;
    positions.set(key, position);
    byId.delete(Number(key));
    unopened.delete(key);
    if (value !== null) open(key, value);
  };

  return {
    apply: (entries) => {
      for (const entry of entries) take(entry);
      table = createTable(new Map(byId));
    },
    reopen: () => {
      if (unopened.size === 0) return;
      for (const [key, entry] of [...unopened]) open(key, entry);
      table = createTable(new Map(byId));
    },
    table: () => table,
  };
};
