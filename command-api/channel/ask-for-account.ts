import type { ChannelAccountReply, ChannelAccountRequest } from '../../domain/relay/messages.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import { isBusUnavailable } from '../errors.ts';
import type { Services } from '../services.ts';
import type { KnownChannel } from './directory.ts';

/** Some providers want a token first, and answer slowly. */
const timeoutMs = 60_000;

/** A channel as relays know it: they hold no key for what is sealed in the log. */
type Account = Pick<KnownChannel, 'channelId' | 'settings' | 'sealedKey'>;

const accountOf = (
  { vault }: Pick<Services, 'vault'>,
  { channelId, settings, sealedKey }: KnownChannel,
): Account => {
  const at = channelKeyPlace(channelId);
  return { channelId, settings, sealedKey: vault.sealForRelays(vault.unseal(sealedKey, at), at) };
};

type Needs = Pick<Services, 'bus' | 'vault'>;
type Answered = ChannelAccountReply | Readonly<{ kind: 'no-relay' }>;

const ask = async (
  { bus }: Pick<Services, 'bus'>,
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

/** Through a relay, whose adapters know every provider's own way. */
export const askForBalance = (services: Needs, channel: KnownChannel) =>
  ask(services, accountOf(services, channel), 'balance');
export const askForModels = (services: Needs, channel: KnownChannel) =>
  ask(services, accountOf(services, channel), 'models');

/** No channel has this number. */
const unsavedId = 0;

/** Of a channel that is not saved yet. */
export const askForModelsUnsaved = (
  services: Needs,
  { settings, key }: Readonly<{ settings: KnownChannel['settings']; key: string }>,
) => {
  const sealedKey = services.vault.sealForRelays(key, channelKeyPlace(unsavedId));
  return ask(services, { channelId: unsavedId, settings, sealedKey }, 'models');
};
