import { randomUUID } from 'node:crypto';
import type { StopScavengeReq } from '@eventstore/db-client/generated/operations_pb.js';
import operationsPb from '@eventstore/db-client/generated/operations_pb.js';
import type { ServerUnaryCall, sendUnaryData, UntypedServiceImplementation } from '@grpc/grpc-js';
import type { NodeContext } from '../node-context.ts';
import { scavengeNotFoundError, serviceError } from '../wire/errors.ts';

const writeDeadlineMs = 10_000;
/** Reports of requested rounds are kept for 30 days, as on the real server. */
const reportSeconds = 30 * 86_400;
const unimplemented = 12;

type Running = Readonly<{ id: string; abort: AbortController }>;
type Answer = InstanceType<typeof operationsPb.ScavengeResp>;
type Outcome = 'Success' | 'Stopped' | 'Failed';
const results = operationsPb.ScavengeResp.ScavengeResult;

const answerOf = (scavengeId: string, result: number): Answer =>
  new operationsPb.ScavengeResp().setScavengeId(scavengeId).setScavengeResult(result);

/**
 * Rounds of the scavenger by request. As on a real server, the request is answered at once, and the
 * stream `$scavenges-<id>` reports its result.
 */
export class Scavenges {
  readonly #context: NodeContext;
  #running: Running | null = null;

  constructor(context: NodeContext) {
    this.#context = context;
    context.stopping.addEventListener('abort', () => this.#running?.abort.abort(), { once: true });
  }

  handlers(): UntypedServiceImplementation {
    const refuse = (_call: unknown, answer: sendUnaryData<never>): void =>
      answer(serviceError(unimplemented, 'the embedded node does not offer this'));
    return {
      startScavenge: (_call: unknown, answer: sendUnaryData<Answer>) => answer(null, this.#start()),
      stopScavenge: (
        call: ServerUnaryCall<StopScavengeReq, Answer>,
        answer: sendUnaryData<Answer>,
      ) => this.#stop(call.request.getOptions()?.getScavengeId() ?? '', answer),
      shutdown: refuse,
      mergeIndexes: refuse,
      resignNode: refuse,
      setNodePriority: refuse,
      restartPersistentSubscriptions: refuse,
    };
  }

  #start(): Answer {
    if (this.#running !== null) return answerOf(this.#running.id, results.INPROGRESS);
    const running = { id: randomUUID(), abort: new AbortController() };
    this.#running = running;
    void this.#ordered(running).finally(() => {
      this.#running = null;
    });
    return answerOf(running.id, results.STARTED);
  }

  #stop(scavengeId: string, answer: sendUnaryData<Answer>): void {
    const running = this.#running;
    if (running?.id !== scavengeId) {
      answer(scavengeNotFoundError(scavengeId));
      return;
    }
    running.abort.abort();
    answer(null, answerOf(scavengeId, results.STOPPED));
  }

  async #ordered({ id, abort }: Running): Promise<void> {
    try {
      await this.#report(id, '$scavengeStarted', {});
      const removed = await this.#context.rounds.run(abort.signal);
      const done: Outcome = abort.signal.aborted ? 'Stopped' : 'Success';
      const result: Outcome = removed === null ? 'Failed' : done;
      await this.#report(id, '$scavengeCompleted', { result, eventsRemoved: removed ?? 0 });
    } catch (error) {
      this.#context.logger.warn({ error: String(error) }, 'a scavenge could not be reported');
    }
  }

  async #report(scavengeId: string, type: string, facts: object): Promise<void> {
    const stream = `$scavenges-${scavengeId}`;
    if (type === '$scavengeStarted') {
      await this.#write(`$$${stream}`, '$metadata', { $maxAge: reportSeconds });
    }
    await this.#write(stream, type, { scavengeId, ...facts });
  }

  async #write(stream: string, type: string, data: object): Promise<void> {
    const event = {
      eventId: randomUUID(),
      type,
      isJson: true,
      data: Buffer.from(JSON.stringify(data)),
      metadata: Buffer.alloc(0),
    };
    const write = { kind: 'append', stream, expected: 'any', events: [event] } as const;
    const written = await this.#context.log.write(write, Date.now() + writeDeadlineMs);
    if (written.kind !== 'written') throw new Error(`not written: ${written.kind}`);
  }
}
