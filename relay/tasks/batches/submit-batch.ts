import type { Quote, Usage } from '../../../domain/pricing/types.ts';
import { type BatchWire, batchActions, writeBatchProperties } from '../../../domain/task/batch.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import { textAt } from '../../protocol/json.ts';
import { batchAdapterOf } from '../../providers/batch-adapters.ts';
import { apiRefusal, refusedBy, type Submission, submissionOf } from '../job.ts';
import { noAnswer } from '../provider-reply.ts';
import { submitJob } from '../submit-job.ts';
import { tracedTask } from '../task-trace.ts';
import { type Asker, groupFor } from './admit.ts';
import { batchObject } from './batch-object.ts';
import { callBatches } from './call-batches.ts';
import { refusalIn } from './read-file.ts';
import { type BatchOrder, fileOrder, messagesOrder } from './read-order.ts';

const submitTimeoutMs = 120_000;

type Work = Readonly<{
  wire: BatchWire;
  asker: Asker;
  order: BatchOrder;
  quote: Quote;
  /** The estimate. */
  usage: Usage;
}>;

const submitTo = async (
  core: RelayCore,
  incoming: Incoming,
  { order, wire, quote }: Work,
): Promise<Submission> => {
  const { channel, body, upstreamModel } = order;
  const adapter = batchAdapterOf(channel.type);
  if (adapter?.wire !== wire) return refusedBy(apiRefusal(noAnswer), false);
  const traced = tracedTask(incoming, 'batch', upstreamModel);
  const terms = { timeoutMs: submitTimeoutMs, traced };
  const call = { method: 'POST', path: adapter.path, body, ...terms } as const;
  const reply = await callBatches(core, { channel, adapter }, call);
  const shown = (task: FoundTask) => batchObject(wire, task);
  return submissionOf(reply, channel, (answer) => {
    return { upstreamId: textAt(answer, 'id'), upstreamModel, details: { quote }, shown };
  });
};

type Asked = Readonly<{ wire: BatchWire; caller: Caller; raw: Buffer }>;

const planned = async (
  core: RelayCore,
  { progress }: Incoming,
  { wire, caller, raw }: Asked,
): Promise<Work | ApiError> => {
  const group = groupFor(core, caller);
  if (typeof group !== 'string') return group;
  const asker = { caller, group, progress };
  const order =
    wire === 'openai' ? await fileOrder(core, asker, raw) : await messagesOrder(core, asker, raw);
  if (isApiError(order)) return order;
  const { requests, promptTokens, completionTokens } = order.properties;
  const cache = { cachedTokens: 0, cacheCreationTokens: 0 };
  const usage = { promptTokens, completionTokens, ...cache, batchRequests: requests };
  return { wire, asker, order, quote: order.quote, usage };
};

/** POST /v1/batches and POST /v1/messages/batches: admitted by the estimate, and charged once. */
export const serveOrder = async (
  core: RelayCore,
  incoming: Incoming,
  asked: Asked,
): Promise<void> => {
  const fail = (error: ApiError) => sendError(incoming.res, error, incoming.requestId);
  let work: Work | ApiError;
  try {
    work = await planned(core, incoming, asked);
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    return fail(refusal);
  }
  if (isApiError(work)) return fail(work);
  const own = work;
  const { order, quote, usage } = work;
  const { channel, properties } = order;
  return submitJob(core, incoming, {
    caller: asked.caller,
    facts: {
      platform: 'batch',
      action: batchActions[asked.wire],
      model: properties.model,
      group: work.asker.group,
      prompt: '',
      state: '',
      properties: writeBatchProperties(properties),
    },
    quote,
    usage,
    destination: { channel, tiers: [] },
    submit: () => submitTo(core, incoming, own),
    refusalOf: apiRefusal,
  });
};
