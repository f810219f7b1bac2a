import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { NodeContext } from '../node-context.ts';
import { isStorable, type ProposedEvent, sizeOf } from '../types.ts';
import {
  type AppendFailure,
  type AppendOptions,
  type AppendPart,
  decodeAppendPart,
  encodeAppendAnswer,
} from '../wire/batch-append.ts';
import { serviceError } from '../wire/errors.ts';
import { asServiceError } from './calls.ts';

type Call = ServerDuplexStream<Buffer, Buffer>;

type Pending = {
  readonly options: AppendOptions;
  readonly deadlineMs: number;
  readonly events: ProposedEvent[];
  bytes: number;
  isComplete: boolean;
  failure: AppendFailure | null;
};

const defaultDeadlineMs = 10_000;
const sweepMs = 500;

/**
 * One call of the client carries all its appends. The client holds no timer and no guard of its
 * own: every append must be answered, once, or it hangs or breaks. So the deadline is kept here.
 */
class BatchAppendCall {
  readonly #call: Call;
  readonly #context: NodeContext;
  readonly #pending = new Map<string, Pending>();
  /** Answered while parts of them are still to arrive; those are of no use any more. */
  readonly #answeredEarly = new Set<string>();
  /** While appends are open. */
  #sweeper: NodeJS.Timeout | null = null;

  constructor(call: Call, context: NodeContext) {
    this.#call = call;
    this.#context = context;
  }

  start(): void {
    const stop = (): void =>
      this.#fail(serviceError(status.CANCELLED, 'the event store is closing'));
    const finish = (): void => {
      this.#pending.clear();
      this.#rest();
      this.#context.stopping.removeEventListener('abort', stop);
    };
    this.#context.stopping.addEventListener('abort', stop, { once: true });
    this.#call.on('data', (bytes: Buffer) => this.#receive(bytes));
    this.#call.on('end', () => this.#call.end());
    this.#call.once('cancelled', finish);
    this.#call.once('error', finish);
    this.#call.once('close', finish);
  }

  #receive(bytes: Buffer): void {
    try {
      const part = decodeAppendPart(bytes);
      if (this.#isAnswered(part)) return;
      const pending = this.#collect(part);
      if (!part.isFinal) return;
      pending.isComplete = true;
      void this.#append(part.correlationId, pending);
    } catch (error) {
      this.#fail(asServiceError(error, this.#context));
    }
  }

  #isAnswered({ correlationId, options, isFinal }: AppendPart): boolean {
    const isAnswered = options === null && this.#answeredEarly.has(correlationId);
    if (isFinal || !isAnswered) this.#answeredEarly.delete(correlationId);
    return isAnswered;
  }

  #collect(part: AppendPart): Pending {
    const pending = this.#pending.get(part.correlationId) ?? this.#begin(part);
    for (const event of part.events) {
      if (event === null) {
        pending.failure ??= {
          kind: 'bad-request',
          message: 'an event lacks id, type or content type',
        };
        continue;
      }
      pending.bytes += sizeOf(event);
      if (pending.bytes > this.#context.maxAppendBytes) {
        pending.failure ??= { kind: 'too-large', limit: this.#context.maxAppendBytes };
        pending.events.length = 0;
      }
      if (pending.failure === null) pending.events.push(event);
    }
    return pending;
  }

  #begin({ correlationId, options }: AppendPart): Pending {
    if (options === null || correlationId === '') {
      throw serviceError(status.INVALID_ARGUMENT, 'an append began without its options');
    }
    const pending: Pending = {
      options,
      deadlineMs: options.deadlineMs ?? Date.now() + defaultDeadlineMs,
      events: [],
      bytes: 0,
      isComplete: false,
      failure: isStorable(options.stream)
        ? null
        : { kind: 'bad-request', message: 'invalid stream name' },
    };
    this.#pending.set(correlationId, pending);
    this.#sweeper ??= setInterval(() => this.#expire(), sweepMs).unref();
    return pending;
  }

  async #append(correlationId: string, pending: Pending): Promise<void> {
    const { options, events, failure, deadlineMs } = pending;
    if (failure !== null) {
      // As with EventStoreDB, an append that is late as well as too large is answered as late.
      const isLate = deadlineMs < Date.now();
      this.#answer(correlationId, pending, isLate ? { kind: 'timeout' } : failure);
      return;
    }
    const { stream, expected } = options;
    try {
      const write = { kind: 'append', stream, expected, events } as const;
      this.#answer(correlationId, pending, await this.#context.log.write(write, deadlineMs));
    } catch (error) {
      const { message } = asServiceError(error, this.#context);
      this.#answer(correlationId, pending, { kind: 'unavailable', message });
    }
  }

  /** Only while the append is still pending: the deadline may have answered before. */
  #answer(
    correlationId: string,
    pending: Pending,
    result: Parameters<typeof encodeAppendAnswer>[2],
  ): void {
    if (this.#pending.get(correlationId) !== pending) return;
    this.#pending.delete(correlationId);
    if (!pending.isComplete) this.#answeredEarly.add(correlationId);
    this.#call.write(encodeAppendAnswer(correlationId, pending.options, result));
  }

  #expire(): void {
    const now = Date.now();
    for (const [correlationId, pending] of this.#pending) {
      if (pending.deadlineMs < now) this.#answer(correlationId, pending, { kind: 'timeout' });
    }
    this.#rest();
  }

  /** No timer wakes an idle node. */
  #rest(): void {
    if (this.#pending.size > 0 || this.#sweeper === null) return;
    clearInterval(this.#sweeper);
    this.#sweeper = null;
  }

  #fail(error: Error): void {
    this.#pending.clear();
    this.#answeredEarly.clear();
    this.#call.emit('error', error);
  }
}

export const batchAppendHandler =
  (context: NodeContext) =>
  (call: Call): void =>
    new BatchAppendCall(call, context).start();
