import { setImmediate as turn } from 'node:timers/promises';
import type { Quote } from '../../../domain/pricing/types.ts';
import type { BatchEstimate, BatchProperties } from '../../../domain/task/batch.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, parseObject, textAt } from '../../protocol/json.ts';
import { callError, relayError } from '../../protocol/relay-errors.ts';
import { takesBatches } from '../../providers/batch-adapters.ts';
import { upstreamModelOf } from '../../providers/shared/mapped-model.ts';
import { type Asker, admitBatch, requestProblem } from './admit.ts';
import { type BatchRequest, EstimateSum, requestOfMessages } from './batch-request.ts';
import { channelGone, fileNotFound, ownFile, propertiesOf } from './own-work.ts';
import { Refused, refused } from './refused.ts';

/** A batch that may be submitted: where, what for, and what goes up. */
export type BatchOrder = Readonly<{
  channel: UpstreamChannel;
  quote: Quote;
  properties: BatchProperties;
  upstreamModel: string;
  body: object;
}>;

type Metadata = BatchProperties['metadata'];

const notJson = callError('invalid_request_body', 'The body is no JSON object');
const maxMetadata = 16;
const channelClosed = relayError(
  'batch_channel_closed',
  'The channel of this file takes no batches now: upload the file again',
);

const unknownMember = (given: JsonObject, known: readonly string[]): ApiError | null => {
  const name = Object.keys(given).find((own) => !known.includes(own));
  return name === undefined
    ? null
    : callError('unknown_parameter', `Unknown parameter: ${name}`, name);
};

const metadataOf = (value: unknown): Metadata | ApiError => {
  if (value === undefined || value === null) return null;
  const entries = isObject(value) ? Object.entries(value) : [];
  const isFit = entries.every(
    ([name, text]) => name.length <= 64 && typeof text === 'string' && text.length <= 512,
  );
  if (isObject(value) && isFit && entries.length <= maxMetadata) {
    return Object.fromEntries(entries) as Record<string, string>;
  }
  const message = `metadata takes at most ${maxMetadata} texts of 512 characters`;
  return callError('invalid_value', message, 'metadata');
};

const readJson = (raw: Buffer, known: readonly string[]): JsonObject | ApiError => {
  const given = parseObject(raw.toString('utf8'));
  return given === null ? notJson : (unknownMember(given, known) ?? given);
};

type FileBatch = Readonly<{
  endpoint: string;
  inputFile: string;
  metadata: Metadata;
}>;

const readFileBatch = (raw: Buffer): FileBatch | ApiError => {
  const known = ['input_file_id', 'endpoint', 'completion_window', 'metadata'];
  const given = readJson(raw, known);
  if (isApiError(given)) return given;
  if (given.completion_window !== '24h') {
    return callError('invalid_value', 'completion_window must be 24h', 'completion_window');
  }
  const metadata = metadataOf(given.metadata);
  if (isApiError(metadata)) return metadata;
  const endpoint = textAt(given, 'endpoint');
  return { endpoint, inputFile: textAt(given, 'input_file_id'), metadata };
};

type Source = Readonly<{ task: FoundTask; estimate: BatchProperties; channel: UpstreamChannel }>;

/** The caller's file of requests, on a channel that takes batches. */
const sourceOf = async (
  core: RelayCore,
  caller: Caller,
  { inputFile, endpoint }: FileBatch,
): Promise<Source | ApiError> => {
  const found = await ownFile(core, caller, inputFile);
  const estimate = found?.file.part === 'requests' ? propertiesOf(found.task) : null;
  if (found === null || estimate === null) return { ...fileNotFound, param: 'input_file_id' };
  if (endpoint !== estimate.endpoint) {
    const message = `The requests of the file are for ${estimate.endpoint}: endpoint must be the same`;
    return callError('mismatched_endpoint', message, 'endpoint');
  }
  const channel = core.channels.table().channel(found.task.channelId);
  if (channel === undefined) return channelGone;
  if (!channel.enabled || !takesBatches(channel.type, 'openai')) return channelClosed;
  return { task: found.task, estimate, channel };
};

/** POST /v1/batches names a file; the batch goes where the file is. */
export const fileOrder = async (
  core: RelayCore,
  asker: Omit<Asker, 'group'>,
  raw: Buffer,
): Promise<BatchOrder | ApiError> => {
  const asked = readFileBatch(raw);
  if (isApiError(asked)) return asked;
  const source = await sourceOf(core, asker.caller, asked);
  if (isApiError(source)) return source;
  const { channel, estimate, task } = source;
  const { endpoint, model } = estimate;
  const wanted = { asker, model, wire: 'openai', place: channel } as const;
  const admission = admitBatch(core, 'batch-order', wanted);
  if (isApiError(admission)) return admission;
  const upstreamModel = upstreamModelOf(channel, model);
  if (isApiError(upstreamModel)) return upstreamModel;
  const { inputFile, metadata } = asked;
  const body = {
    input_file_id: task.upstreamId,
    endpoint,
    completion_window: '24h',
    ...(metadata === null ? {} : { metadata }),
  };
  const properties = { ...estimate, inputFile, metadata };
  return { channel, quote: admission.quote, properties, upstreamModel, body };
};

type Read = Readonly<{ requests: readonly BatchRequest[]; estimate: BatchEstimate }>;

/** Requests that are read before other calls get their turn. */
const readAtOnce = 100;

/** @throws a refusal, which names the request */
const readRequest = (
  { core, asker, estimate }: Readonly<{ core: RelayCore; asker: Asker; estimate: EstimateSum }>,
  own: unknown,
  at: number,
): BatchRequest => {
  try {
    const request = requestOfMessages(own);
    estimate.add(request);
    const problem = requestProblem(core, asker, request);
    if (problem !== null) throw new Refused(problem);
    return request;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { message } = error.error;
    throw new Refused({ ...error.error, message: `requests[${at}]: ${message}` });
  }
};

/** @throws a refusal */
const readRequests = async (
  core: RelayCore,
  asker: Asker,
  given: readonly unknown[],
): Promise<Read> => {
  const estimate = new EstimateSum();
  const requests: BatchRequest[] = [];
  for (const [at, own] of given.entries()) {
    requests.push(readRequest({ core, asker, estimate }, own, at));
    if (at % readAtOnce === readAtOnce - 1) await turn();
  }
  if (estimate.sum === null) throw refused('invalid_value', 'requests is empty', 'requests');
  return { requests, estimate: estimate.sum };
};

/** POST /v1/messages/batches carries its requests. @throws a refusal */
export const messagesOrder = async (
  core: RelayCore,
  asker: Asker,
  raw: Buffer,
): Promise<BatchOrder | ApiError> => {
  const given = readJson(raw, ['requests']);
  if (isApiError(given)) return given;
  const list: unknown = given.requests;
  if (!Array.isArray(list))
    return callError('invalid_value', 'requests must be a list', 'requests');
  const { requests, estimate } = await readRequests(core, asker, list);
  const wanted = { asker, model: estimate.model, wire: 'anthropic', place: null } as const;
  const admission = admitBatch(core, 'batch-order', wanted);
  if (isApiError(admission)) return admission;
  const { channel, quote } = admission;
  const model = upstreamModelOf(channel, estimate.model);
  if (isApiError(model)) return model;
  const own = { fileName: '', bytes: raw.length, inputFile: '', metadata: null };
  const up = requests.map(({ customId, body }) => ({
    custom_id: customId,
    params: { ...body, model },
  }));
  const properties = { ...estimate, ...own };
  return { channel, quote, properties, upstreamModel: model, body: { requests: up } };
};
