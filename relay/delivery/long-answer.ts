import { asBuffer, gatherShared } from '../offload/shared-bytes.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { isApiError } from '../protocol/api-error.ts';
import type { Settled } from '../settlement/charge.ts';
import type { EncoderFacts } from './encoder.ts';
import type { AnswerJobs, ReadAnswer } from './read-answer.ts';
import type { ReplyHost } from './reply.ts';
import type { WholeTranslation } from './translated-whole.ts';
import { offloadedWithIo } from './translation-io.ts';

const noBytes = Buffer.alloc(0);

/** The body of the request does not describe its answer. */
const thinFacts = (
  { admitted }: ReplyHost,
  { context }: Pick<WholeTranslation, 'context'>,
): EncoderFacts => ({
  requestId: admitted.requestId,
  startedAtMs: admitted.startedAtMs,
  path: admitted.path,
  wantsUsage: admitted.wantsUsage,
  call: { ...admitted.call, body: noBytes },
  ...(context.call.response === undefined ? {} : { response: context.call.response }),
});

/** Reads a long answer on another thread. */
export const readApart = async (
  host: ReplyHost,
  { core, context, head }: WholeTranslation,
  { chunks, bytes }: Readonly<{ chunks: readonly Buffer[]; bytes: number }>,
): Promise<ReadAnswer | ApiError> => {
  const body = await gatherShared(chunks, bytes);
  const { channel, settings, call, io } = context;
  const input: AnswerJobs['read-answer']['input'] = {
    channel,
    families: settings,
    call: { ...call, form: null },
    reply: { ...head, body },
    facts: thinFacts(host, { context }),
    startedAtMs: core.clock().getTime(),
  };
  const read = await offloadedWithIo((options) => core.offload.run('read-answer', input, options), {
    io,
    // The provider was paid for this answer: it is not refused for a full queue.
    options: { owner: String(host.admitted.caller.account.userId), bytes, isOwed: true },
  });
  return isApiError(read) ? read : { ...read, bytes: asBuffer(read.bytes) };
};

/**
 * Its bytes for the caller, after its usage has been read. @throws when no thread could write them
 */
export const encodeApart = async (
  host: ReplyHost,
  { core, context }: WholeTranslation,
  { read, settled }: Readonly<{ read: ReadAnswer; settled: Settled }>,
): Promise<Buffer> => {
  if (read.isEncoded) return read.bytes;
  const { usage } = settled;
  const { account } = host.admitted.caller;
  const encoded = await core.offload.run(
    'encode-answer',
    { bytes: read.bytes, usage, facts: thinFacts(host, { context }) },
    { owner: String(account.userId), bytes: read.bytes.length, isOwed: true },
  );
  if (encoded.kind === 'refused') throw new Error(encoded.error.message);
  return asBuffer(encoded.value);
};
