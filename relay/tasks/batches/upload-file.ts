import { randomUUID } from 'node:crypto';
import { type BatchProperties, writeBatchProperties } from '../../../domain/task/batch.ts';
import type { TaskFacts } from '../../../domain/task/events.ts';
import { emptyReport } from '../../../domain/task/report.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { channelKeyForms } from '../../delivery/key-forms.ts';
import { masked } from '../../delivery/key-mask.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { sendJson } from '../../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import { textAt } from '../../protocol/json.ts';
import { batchAdapterOf } from '../../providers/batch-adapters.ts';
import { baseAddress } from '../../providers/shared/base-address.ts';
import { upstreamModelOf } from '../../providers/shared/mapped-model.ts';
import { isoTime } from '../../settlement/iso-time.ts';
import { sendStream } from '../../upstream/send-stream.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { withOverrides } from '../call-provider.ts';
import { untilShown } from '../find.ts';
import { taskQuote } from '../price.ts';
import { isSuccess, providerError } from '../provider-reply.ts';
import { TaskMoney } from '../task-money.ts';
import { withTaskPermit } from '../task-permit.ts';
import { beginAttempt, tracedTask, withAttempt } from '../task-trace.ts';
import { type Asker, batchChannel, groupFor, requestProblem } from './admit.ts';
import { fileObject } from './batch-object.ts';
import type { BatchRequest } from './batch-request.ts';
import { answerOf, noAnswer } from './call-batches.ts';
import { channelGone } from './own-work.ts';
import { RequestFile, refusalIn } from './read-file.ts';

const maxReplyBytes = 1_048_576;
const maxUpstreamId = 256;
const maxFileName = 256;

type Upload = Readonly<{
  asker: Asker;
  file: RequestFile;
  first: BatchRequest;
  rest: AsyncGenerator<BatchRequest>;
  channel: UpstreamChannel;
}>;

const lineOf = ({ customId, endpoint, body }: BatchRequest, model: string): Buffer =>
  Buffer.from(
    `${JSON.stringify({ custom_id: customId, method: 'POST', url: endpoint, body: { ...body, model } })}\n`,
  );

/** The form that goes up: what was read of each request, and not the caller's own bytes. */
async function* formOf(
  { first, rest }: Upload,
  { model, boundary }: Readonly<{ model: string; boundary: string }>,
): AsyncGenerator<Buffer> {
  const field = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}`;
  yield Buffer.from(`${field('name="purpose"')}\r\n\r\nbatch\r\n`);
  const head = field('name="file"; filename="requests.jsonl"');
  yield Buffer.from(`${head}\r\nContent-Type: application/jsonl\r\n\r\n`);
  yield lineOf(first, model);
  for await (const request of rest) yield lineOf(request, model);
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** Reports whether all of a form has been read. */
class WholeForm {
  readonly #form: AsyncGenerator<Buffer>;
  isRead = false;

  constructor(form: AsyncGenerator<Buffer>) {
    this.#form = form;
  }

  async *bytes(): AsyncGenerator<Buffer> {
    yield* this.#form;
    this.isRead = true;
  }
}

/** @throws a refusal of a line that is read while the file goes up */
const send = async (incoming: Incoming, upload: Upload): Promise<HttpReply | ApiError> => {
  const { channel, first } = upload;
  const adapter = batchAdapterOf(channel.type);
  const model = upstreamModelOf(channel, first.model);
  if (adapter === undefined || isApiError(model)) return isApiError(model) ? model : channelGone;
  const base = baseAddress(channel, adapter.baseUrl);
  if (isApiError(base)) return base;
  const boundary = `tollgate-${randomUUID()}`;
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const ended = new AbortController();
  const body = new WholeForm(formOf(upload, { model, boundary }));
  // A file that is up is kept: its caller has left, and finds it in his list.
  incoming.res.on('close', () => {
    if (!body.isRead) ended.abort();
  });
  const traced = tracedTask(incoming, 'file', model);
  const own = { ...adapter.headers(channel), ...beginAttempt(traced, channel, base.origin) };
  const sent = sendStream({
    url: `${base.origin}${base.prefix}${adapter.filesPath}`,
    headers: { ...withOverrides(own, channel), ...type },
    body: body.bytes(),
    maxBytes: maxReplyBytes,
    proxy: channel.proxy,
    publicOnly: false,
    signal: ended.signal,
  });
  const reply = await withAttempt(traced, sent);
  return { ...reply, body: masked(reply.body, channelKeyForms(channel)) };
};

const propertiesOf = ({ file, first }: Upload): BatchProperties => ({
  ...(file.estimate ?? {
    model: first.model,
    endpoint: first.endpoint,
    requests: 0,
    promptTokens: 0,
    completionTokens: 0,
  }),
  fileName: file.fileName.slice(0, maxFileName),
  bytes: file.bytes,
  inputFile: '',
  metadata: null,
});

/** A file is free work that has ended with its acceptance: so it has an owner, a place and a list. */
const keep = async (
  core: RelayCore,
  incoming: Incoming,
  { upload, upstreamId }: Readonly<{ upload: Upload; upstreamId: string }>,
): Promise<object> => {
  const { asker, channel, first } = upload;
  const { caller, group } = asker;
  const { userId } = caller.account;
  const { channelId } = channel;
  const startedAtMs = incoming.arrivedAtMs;
  const taskId = incoming.requestId;
  const facts: TaskFacts = {
    taskId,
    platform: 'file',
    userId,
    tokenId: caller.tokenId,
    channelId,
    action: 'FILE',
    model: first.model,
    group,
    prompt: '',
    state: '',
    properties: writeBatchProperties(propertiesOf(upload)),
    submittedAt: isoTime(startedAtMs),
  };
  const { prices } = core.options.current();
  const quote = taskQuote(prices, { model: first.model, group, isFree: true });
  const money = new TaskMoney(core, { incoming, caller, facts, quote, startedAtMs }, null);
  const report = { ...emptyReport, status: 'SUCCESS', progress: '100%' };
  const outcome = {
    kind: 'accepted',
    taskId,
    platform: 'file',
    userId,
    channelId,
    upstreamId,
    code: 0,
    description: '',
    quota: 0,
    acceptedAt: isoTime(core.clock().getTime()),
    properties: '',
    report,
  } as const;
  await money.accepted(outcome, { channelId, tried: [channelId] });
  await untilShown(core, 'file', { taskId, upstreamId });
  const submittedMs = startedAtMs;
  const shown = { ...report, properties: facts.properties };
  const task = { taskId, upstreamId, userId, channelId, action: 'FILE', prompt: '', submittedMs };
  return fileObject({ ...task, report: shown });
};

const opened = async (
  core: RelayCore,
  asker: Asker,
  file: RequestFile,
): Promise<Upload | ApiError> => {
  const rest = file.requests();
  const { value: first, done } = await rest.next();
  if (done === true) return noAnswer;
  const channel = batchChannel(core, asker, { model: first.model, wire: 'openai' });
  return isApiError(channel) ? channel : { asker, file, first, rest, channel };
};

/** false: the provider was not called. */
const upload = async (core: RelayCore, incoming: Incoming, work: Upload): Promise<boolean> => {
  const fail = (error: ApiError) => sendError(incoming.res, error, incoming.requestId);
  const reply = await send(incoming, work);
  if (isApiError(reply)) {
    fail(reply);
    return false;
  }
  const upstreamId = isSuccess(reply) ? textAt(answerOf(reply) ?? {}, 'id') : '';
  if (upstreamId === '' || upstreamId.length > maxUpstreamId) {
    fail(providerError(work.channel, reply));
    return true;
  }
  sendJson(incoming, 200, await keep(core, incoming, { upload: work, upstreamId }));
  return true;
};

/** POST /v1/files: goes up as it is read, and is never held whole. */
export const serveUpload = async (
  core: RelayCore,
  incoming: Incoming,
  caller: Caller,
): Promise<void> => {
  const fail = (error: ApiError) => sendError(incoming.res, error, incoming.requestId);
  const group = groupFor(core, incoming, caller);
  if (isApiError(group)) return fail(group);
  const asker = { caller, group };
  const file = new RequestFile(incoming, {
    maxBytes: core.options.current().batches.maxFileBytes,
    problem: (request) => requestProblem(core, asker, request),
  });
  try {
    const work = await opened(core, asker, file);
    if (isApiError(work)) return fail(work);
    const { model } = work.first;
    const go = () => upload(core, incoming, work);
    const limited = await withTaskPermit(core, incoming, { caller, group, model, go });
    if (limited !== null) fail(limited);
  } catch (error) {
    const known = refusalIn(error);
    if (known === null) {
      const { requestId } = incoming;
      core.logger.warn({ requestId, error: String(error) }, 'a file of requests did not go up');
    }
    fail(known ?? noAnswer);
  }
};
