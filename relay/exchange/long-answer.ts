import { isApiError } from '../admission/caller.ts';
import type { ApiError } from '../ingress/api-error.ts';
import type { ReadAnswer } from '../offload/jobs.ts';
import { asBuffer, gatherShared } from '../offload/shared-bytes.ts';
import type { Settled } from './booking.ts';
import type { ReplyHost } from './reply.ts';
import type { WholeTranslation } from './translated-whole.ts';
import { offloadedWithIo } from './translation-io.ts';
import type { VoiceFacts } from './voice.ts';

const noBytes = Buffer.alloc(0);

/** The request's own body says nothing about its answer. */
const factsOf = ({ admitted }: ReplyHost): VoiceFacts => ({
  requestId: admitted.requestId,
  startedAtMs: admitted.startedAtMs,
  path: admitted.path,
  wantsUsage: admitted.wantsUsage,
  call: { ...admitted.call, body: noBytes },
});

/** Reads a long answer on another thread. */
export const readApart = async (
  host: ReplyHost,
  { core, context, head }: WholeTranslation,
  { chunks, bytes }: Readonly<{ chunks: readonly Buffer[]; bytes: number }>,
): Promise<ReadAnswer | ApiError> => {
  const body = await gatherShared(chunks, bytes);
  const { channel, settings, call, io } = context;
  const read = await offloadedWithIo(core, 'read-answer', {
    input: {
      channel,
      families: settings,
      call: { ...call, form: null },
      reply: { ...head, body },
      facts: factsOf(host),
      wantsText: host.filter.completion !== null,
      startedAtMs: core.clock().getTime(),
    },
    // The provider was paid for this answer: it is not refused for a full queue.
    on: {
      io,
      options: { owner: String(host.admitted.caller.account.userId), bytes, isOwed: true },
    },
  });
  return isApiError(read) ? read : { ...read, bytes: asBuffer(read.bytes) };
};

/** Its bytes for the caller, once its usage is known. @throws when no thread could write them */
export const tellApart = async (
  host: ReplyHost,
  { core }: WholeTranslation,
  { read, settled }: Readonly<{ read: ReadAnswer; settled: Settled }>,
): Promise<Buffer> => {
  if (read.isTold) return read.bytes;
  const { usage } = settled;
  const { account } = host.admitted.caller;
  const told = await core.offload.run(
    'tell-answer',
    { bytes: read.bytes, usage, facts: factsOf(host) },
    { owner: String(account.userId), bytes: read.bytes.length, isOwed: true },
  );
  if (told.kind === 'refused') throw new Error(told.error.message);
  return asBuffer(told.value);
};
