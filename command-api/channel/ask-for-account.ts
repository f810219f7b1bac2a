import { providerOf } from '../../domain/channel/catalogue.ts';
import type { ChannelAccountReply, ChannelAccountRequest } from '../../domain/relay/messages.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { isBusUnavailable } from '../shared/errors.ts';
import type { KnownChannel } from './directory.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
}>;

/** Some providers require a token first, and answer slowly. */
const timeoutMs = 60_000;

/** A channel in the form of the relays' feed: relays hold no key for what is sealed in the log. */
type Account = Pick<KnownChannel, 'channelId' | 'settings' | 'sealedKey'>;

const accountOf = (
  { vault }: Pick<Deps, 'vault'>,
  { channelId, settings, sealedKey }: KnownChannel,
): Account => {
  const at = channelKeyPlace(channelId);
  return { channelId, settings, sealedKey: vault.sealForRelays(vault.unseal(sealedKey, at), at) };
};

type Answered = ChannelAccountReply | Readonly<{ kind: 'no-relay' }>;

const ask = async (
  { bus }: Pick<Deps, 'bus'>,
  { channelId, settings, sealedKey }: Account,
  wanted: ChannelAccountRequest['wanted'],
): Promise<Answered> => {
  try {
    return await bus.request<ChannelAccountRequest, ChannelAccountReply>(
      'relay.channel-account',
      { channel: { channelId, status: 1, settings, sealedKey }, wanted },
      { timeoutMs },
    );
  } catch (error) {
    if (isBusUnavailable(error)) return { kind: 'no-relay' };
    throw error;
  }
};

const unsupported: Answered = { kind: 'unsupported' };

/** Through a relay, whose adapters implement the calls of each provider. */
export const askForBalance = async (deps: Deps, channel: KnownChannel): Promise<Answered> =>
  providerOf(channel.settings.type)?.readsBalance
    ? ask(deps, accountOf(deps, channel), 'balance')
    : unsupported;
export const askForModels = async (deps: Deps, channel: KnownChannel): Promise<Answered> =>
  providerOf(channel.settings.type)?.listsModels
    ? ask(deps, accountOf(deps, channel), 'models')
    : unsupported;

/** No channel has this number. */
const unsavedId = 0;

/** Of a channel that is not saved yet. */
export const askForModelsUnsaved = async (
  deps: Deps,
  { settings, key }: Readonly<{ settings: KnownChannel['settings']; key: string }>,
): Promise<Answered> => {
  if (!providerOf(settings.type)?.listsModels) return unsupported;
  const sealedKey = deps.vault.sealForRelays(key, channelKeyPlace(unsavedId));
  return ask(deps, { channelId: unsavedId, settings, sealedKey }, 'models');
};
