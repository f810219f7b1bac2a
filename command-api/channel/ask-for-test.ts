import type { ChannelTestReply, ChannelTestRequest } from '../../domain/relay/messages.ts';
import type { Services } from '../services.ts';
import type { KnownChannel } from './directory.ts';

const testTimeoutMs = 120_000;
/** Picture and music services have no cheap call to try. */
const untestable = new Set([2, 5, 36]);
const fallbackModel = 'gpt-4o-mini';

export const isTestable = ({ settings }: KnownChannel): boolean => !untestable.has(settings.type);

/** A real call by a relay through its own adapter; never charged. */
export const askForTest = (
  { bus }: Pick<Services, 'bus'>,
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
