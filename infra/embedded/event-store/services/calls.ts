import type { ServerDuplexStream, ServerWritableStream } from '@grpc/grpc-js';
import { ProtobufError } from '../../../protobuf/field-reader.ts';
import type { NodeContext } from '../node-context.ts';
import { serviceError, unavailable } from '../wire/errors.ts';

/** Messages that we encode ourselves are passed through the framework unchanged. */
export const passThrough = (bytes: Buffer): Buffer => bytes;

export type Outgoing = ServerWritableStream<never, Buffer> | ServerDuplexStream<Buffer, Buffer>;

/** Aborts when the caller leaves or the node goes down. */
export const callSignal = (call: Outgoing, stopping: AbortSignal): AbortSignal => {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  call.once('cancelled', abort);
  call.once('close', abort);
  call.once('error', abort);
  stopping.addEventListener('abort', abort, { once: true });
  controller.signal.addEventListener('abort', () => stopping.removeEventListener('abort', abort), {
    once: true,
  });
  if (call.cancelled || stopping.aborted) abort();
  return controller.signal;
};

const drained = (call: Outgoing, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      call.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    call.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });

/** Writes, and waits while the caller is slower than we are. */
export const send = async (call: Outgoing, bytes: Buffer, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  if (!call.write(bytes)) await drained(call, signal);
};

const isServiceError = (error: unknown): error is Error & { code: number } =>
  error instanceof Error && 'code' in error && typeof error.code === 'number';

const unknownCode = 2;
const invalidCode = 3;

/** What a caller gets of a failure; only our own errors are sent with their text. */
export const asServiceError = (error: unknown, { logger, stopping }: NodeContext): Error => {
  if (isServiceError(error)) return error;
  if (error instanceof ProtobufError) return serviceError(invalidCode, error.message);
  if (stopping.aborted) return unavailable('the event store is closing');
  logger.error({ error: String(error) }, 'event store call failed');
  return serviceError(unknownCode, 'internal error');
};
