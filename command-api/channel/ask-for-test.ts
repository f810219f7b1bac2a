import { providerOf } from '../../domain/channel/catalogue.ts';
import type { ChannelTestReply, ChannelTestRequest } from '../../domain/relay/messages.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { KnownChannel } from './directory.ts';

type Deps = Readonly<{
  bus: Bus;
}>;

const testTimeoutMs = 120_000;
const fallbackModel = 'gpt-4o-mini';

/** The tasks of picture and music services are not cheap enough to try. */
export const isTestable = ({ settings }: KnownChannel): boolean =>
  providerOf(settings.type)?.relay !== 'tasks';

/** A real call by a relay through its own adapter; never charged. */
export const askForTest = (
  { bus }: Deps,
  { channelId, settings }: KnownChannel,
  wanted?: string,
): Promise<ChannelTestReply> => {
  const model = wanted || settings.testModel || settings.models[0] || fallbackModel;
  return bus.request<ChannelTestRequest, ChannelTestReply>(
    'relay.test-channel',
    { channelId, model },
    { timeoutMs: testTimeoutMs },
  );
};

export const testRecordOf = (channelId: number, reply: ChannelTestReply) => ({
  channelId,
  model: reply.model,
  success: reply.success,
  responseTimeMs: Math.max(0, Math.round(reply.responseTimeMs)),
  message: reply.message.slice(0, 1_000),
});
