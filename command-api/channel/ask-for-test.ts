import { providerOf } from '../../domain/channel/catalogue.ts';
import { retiredProblem } from '../../domain/channel/settings.ts';
import type { ChannelTestReply, ChannelTestRequest } from '../../domain/relay/messages.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { KnownChannel } from './directory.ts';

type Deps = Readonly<{
  bus: Bus;
}>;

const testTimeoutMs = 120_000;
const fallbackModel = 'gpt-4o-mini';

/** Why a channel cannot be tested; tasks of picture and music services cost too much for a test. */
export const testProblem = ({ settings }: KnownChannel): Rejected<RejectionCode> | null => {
  const retired = retiredProblem(settings);
  if (retired !== null) return reject(retired.code, retired.details);
  const isTestable = providerOf(settings.type)?.relay === 'adapter';
  return isTestable ? null : reject('channel.test-unsupported');
};

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
