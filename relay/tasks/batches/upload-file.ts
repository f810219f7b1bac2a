import { randomUUID } from 'node:crypto';
import { type BatchProperties, writeBatchProperties } from '../../../domain/task/batch.ts';
import { emptyReport } from '../../../domain/task/report.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { CallPermit } from '../../admission/call-limits/call-limiter.ts';
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
import { sendStream } from '../../upstream/send-stream.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { noteFailure, withOverrides } from '../call-provider.ts';
import { isUpstreamId } from '../job.ts';
import { noUsage, taskQuote } from '../price.ts';
import { answerOf, isSuccess, noAnswer, providerError } from '../provider-reply.ts';
import { acceptTask, startTask, taskPermit } from '../submit-job.ts';
import { beginAttempt, tracedTask, withAttempt } from '../task-trace.ts';
import { type Asker, admitBatch, groupFor, requestProblem } from './admit.ts';
import { fileObject } from './batch-object.ts';
import type { BatchRequest } from './batch-request.ts';
import { channelGone } from './own-work.ts';
import { RequestFile, refusalIn } from './read-file.ts';

const maxReplyBytes = 1_048_576;
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
const send = async (
  core: RelayCore,
  incoming: Incoming,
  upload: Upload,
): Promise<HttpReply | ApiError> => {
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
  if (!isSuccess(reply)) noteFailure(core, channel, reply);
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

type Kept = Readonly<{ upload: Upload; upstreamId: string; permit: CallPermit | null }>;

/** A file is free work that has ended with its acceptance: so it has an owner, a place and a list. */
const keep = async (
  core: RelayCore,
  incoming: Incoming,
  { upload, upstreamId, permit }: Kept,
): Promise<object> => {
  const { asker, channel, first } = upload;
  const { caller, group } = asker;
  const { channelId } = channel;
  const { model } = first;
  const properties = writeBatchProperties(propertiesOf(upload));
  const { prices } = core.options.current();
  const quote = taskQuote(prices, { model, group, isFree: true });
  const task = startTask(core, incoming, {
    ...{ caller, quote, channelId, permit, reservation: null },
    facts: { platform: 'file', action: 'FILE', model, group, prompt: '', state: '', properties },
  });
  const report = { ...emptyReport, status: 'SUCCESS', progress: '100%' };
  const taken = { upstreamId, details: { report } };
  const accepted = { taken, quote, usage: noUsage, channelId, tried: [channelId] };
  return fileObject(await acceptTask(core, task, accepted));
};

const opened = async (
  core: RelayCore,
  asker: Asker,
  file: RequestFile,
): Promise<Upload | ApiError> => {
  const rest = file.requests();
  const { value: first, done } = await rest.next();
  if (done === true) return noAnswer;
  const { model } = first;
  const wanted = { asker, model, wire: 'openai', place: null } as const;
  const admission = admitBatch(core, 'file-upload', wanted);
  if (isApiError(admission)) return admission;
  return { asker, file, first, rest, channel: admission.channel };
};

/** The permit goes with the record; a file that is not kept has none. */
const upload = async (
  core: RelayCore,
  incoming: Incoming,
  { work, permit }: Readonly<{ work: Upload; permit: CallPermit | null }>,
): Promise<void> => {
  const fail = (error: ApiError) => sendError(incoming.res, error, incoming.requestId);
  const reply = await send(core, incoming, work).catch((error: unknown) => {
    permit?.ended(0);
    throw error;
  });
  if (isApiError(reply)) {
    permit?.cancelled();
    return fail(reply);
  }
  const upstreamId = isSuccess(reply) ? textAt(answerOf(reply) ?? {}, 'id') : '';
  if (isUpstreamId(upstreamId)) {
    return sendJson(
      incoming,
      200,
      await keep(core, incoming, { upload: work, upstreamId, permit }),
    );
  }
  permit?.ended(0);
  fail(providerError(work.channel, reply));
};

/** POST /v1/files: goes up as it is read, and is never held whole. */
export const serveUpload = async (
  core: RelayCore,
  incoming: Incoming,
  caller: Caller,
): Promise<void> => {
  const fail = (error: ApiError) => sendError(incoming.res, error, incoming.requestId);
  const group = groupFor(core, caller);
  if (isApiError(group)) return fail(group);
  const asker = { caller, group, progress: incoming.progress };
  const file = new RequestFile(incoming, {
    maxBytes: core.options.current().batches.maxFileBytes,
    problem: (request) => requestProblem(core, asker, request),
  });
  try {
    const work = await opened(core, asker, file);
    if (isApiError(work)) return fail(work);
    const { model } = work.first;
    const permit = await taskPermit(core, incoming, { caller, group, model, usage: noUsage });
    if (isApiError(permit)) return fail(permit);
    await upload(core, incoming, { work, permit });
  } catch (error) {
    const known = refusalIn(error);
    if (known === null) {
      const { requestId } = incoming;
      core.logger.warn({ requestId, error: String(error) }, 'a file of requests did not go up');
    }
    fail(known ?? noAnswer);
  }
};
