import type { ChannelAccountReply, ChannelAccountRequest } from '../../domain/relay/messages.ts';
import { isBusUnavailable } from '../errors.ts';
import type { Services } from '../services.ts';
import type { KnownChannel } from './directory.ts';

/** Some providers want a token first, and answer slowly. */
const timeoutMs = 60_000;

export type Account = Pick<KnownChannel, 'channelId' | 'settings' | 'sealedKey'>;
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
export const askForBalance = (services: Pick<Services, 'bus'>, account: Account) =>
  ask(services, account, 'balance');
export const askForModels = (services: Pick<Services, 'bus'>, account: Account) =>
  ask(services, account, 'models');
