import type { ChannelSettings } from '../../domain/channel/events.ts';
import type { ChannelFeedEntry } from '../../domain/channel/feed.ts';
import {
  type HeaderOverride,
  headerOverridesOf,
  keyMark,
} from '../../domain/channel/header-override.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import type { RelayVault } from '../../infra/ports/vault.ts';
import { parseParamOverride, parseTextMap } from './channel-json.ts';

/** A channel as calls meet it: its JSON texts parsed and its key opened, once for each change. */
export type UpstreamChannel = Readonly<{
  channelId: ChannelId;
  type: number;
  key: string;
  settings: ChannelSettings;
  models: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  /** null: the text is not JSON, which fails every call (code model_mapped_error). */
  modelMapping: ReadonlyMap<string, string> | null;
  /** Upstream status to the status that counts. */
  statusMapping: ReadonlyMap<number, number>;
  /** Top-level key to JSON text. null: the text cannot be used. */
  paramOverride: ReadonlyMap<string, string> | null;
  /** On top of every other header of a call; values with the key in them. */
  headerOverrides: readonly HeaderOverride[];
  /** Outbound proxy; "" for none. */
  proxy: string;
  enabled: boolean;
}>;

const statusMap = (text: string): ReadonlyMap<number, number> => {
  const mapping = new Map<number, number>();
  for (const [from, to] of parseTextMap(text) ?? []) {
    const status = Number(to);
    if (Number.isInteger(status) && status >= 200 && status <= 599) {
      mapping.set(Number(from), status);
    }
  }
  return mapping;
};

/** Headers that may not be sent are left out: the settings are older than the rule. */
const headersOf = (setting: string, key: string): readonly HeaderOverride[] => {
  const headers = headerOverridesOf(setting);
  if ('wrong' in headers) return [];
  return headers.map(({ name, value }) => ({
    name,
    value: value?.replaceAll(keyMark, () => key) ?? null,
  }));
};

export const compileChannel = (entry: ChannelFeedEntry, vault: RelayVault): UpstreamChannel => {
  const { settings } = entry;
  const key = vault.unseal(entry.sealedKey, channelKeyPlace(entry.channelId)).trim();
  return {
    channelId: entry.channelId,
    type: settings.type,
    key,
    settings,
    models: new Set(settings.models),
    groups: new Set(settings.groups),
    modelMapping: parseTextMap(settings.modelMapping),
    statusMapping: statusMap(settings.statusCodeMapping),
    paramOverride: parseParamOverride(settings.paramOverride),
    headerOverrides: headersOf(settings.setting, key),
    proxy: parseTextMap(settings.setting)?.get('proxy') ?? '',
    enabled: entry.status === 1,
  };
};
