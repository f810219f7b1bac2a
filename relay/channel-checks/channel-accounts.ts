import type { ChannelAccountReply, ChannelAccountRequest } from '../../domain/relay/messages.ts';
import type { Stop } from '../../infra/ports/bus.ts';
import { redactText } from '../delivery/redaction.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { compileChannel, type UpstreamChannel } from '../feeds/upstream-channel.ts';
import { isApiError } from '../protocol/api-error.ts';
import { providerOf } from '../providers/registry.ts';

type Needs = Pick<RelayCore, 'bus' | 'vault' | 'providerIo'>;

/** Of a channel; null: its key cannot be opened. */
const failed = (channel: UpstreamChannel | null, words: string): ChannelAccountReply => ({
  kind: 'failed',
  message: channel === null ? words : redactText(channel, words),
});

const tell = async (
  { providerIo }: Needs,
  channel: UpstreamChannel,
  wanted: ChannelAccountRequest['wanted'],
): Promise<ChannelAccountReply> => {
  const { models, balance } = providerOf(channel.type)?.account ?? {};
  const io = providerIo(channel.proxy);
  if (wanted === 'models') {
    if (models === undefined) return { kind: 'unsupported' };
    const reported = await models(channel, io);
    return isApiError(reported)
      ? failed(channel, reported.message)
      : { kind: 'models', models: reported };
  }
  if (balance === undefined) return { kind: 'unsupported' };
  const reported = await balance(channel, io);
  return isApiError(reported)
    ? failed(channel, reported.message)
    : { kind: 'balance', balance: reported.amount };
};

/** Answers `relay.channel-account`: lists of models and balances, read through the channel's proxy. */
export const serveChannelAccounts = (needs: Needs): Promise<Stop> =>
  needs.bus.serve<ChannelAccountRequest, ChannelAccountReply>(
    'relay.channel-account',
    async ({ channel: entry, wanted }) => {
      let channel: UpstreamChannel | null = null;
      try {
        channel = compileChannel(entry, needs.vault);
        return await tell(needs, channel, wanted);
      } catch (error) {
        // Unreachable or too slow: the operator needs to see that.
        return failed(channel, error instanceof Error ? error.message : String(error));
      }
    },
  );
