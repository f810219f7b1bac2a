import type { ChannelAccountReply, ChannelAccountRequest } from '../domain/relay/messages.ts';
import type { Stop } from '../infra/ports/bus.ts';
import { isApiError } from './admission/caller.ts';
import { accountOf } from './providers/accounts.ts';
import type { RelayCore } from './relay-core.ts';
import { compileChannel } from './routing/upstream-channel.ts';

type Needs = Pick<RelayCore, 'bus' | 'vault' | 'providerIo'>;

const tell = async (
  { vault, providerIo }: Needs,
  { channel: entry, wanted }: ChannelAccountRequest,
): Promise<ChannelAccountReply> => {
  const channel = compileChannel(entry, vault);
  const { models, balance } = accountOf(channel.type);
  const io = providerIo(channel.proxy);
  if (wanted === 'models') {
    if (models === undefined) return { kind: 'unsupported' };
    const said = await models(channel, io);
    return isApiError(said)
      ? { kind: 'failed', message: said.message }
      : { kind: 'models', models: said };
  }
  if (balance === undefined) return { kind: 'unsupported' };
  const said = await balance(channel, io);
  return isApiError(said)
    ? { kind: 'failed', message: said.message }
    : { kind: 'balance', balance: said.amount };
};

/** Answers `relay.channel-account`: lists of models and balances, read through the channel's proxy. */
export const serveChannelAccounts = (needs: Needs): Promise<Stop> =>
  needs.bus.serve<ChannelAccountRequest, ChannelAccountReply>(
    'relay.channel-account',
    async (request) => {
      try {
        return await tell(needs, request);
      } catch (error) {
        // Unreachable or too slow: that is what the operator wants to know.
        return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
      }
    },
  );
