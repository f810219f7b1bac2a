import type { Incoming } from '../../../relay/admission/admitted.ts';
import type { Reservation } from '../../../relay/admission/lease-book.ts';
import { noProgress } from '../../../relay/admission/refusal-counter.ts';
import { takenCache } from '../../../relay/tasks/caches/taken-cache.ts';
import type { TakenJob } from '../../../relay/tasks/job.ts';
import {
  acceptedTask,
  type RunningTask,
  reserveFor,
  startTask,
} from '../../../relay/tasks/submit-job.ts';
import { costOf, type Tokens } from '../oracle/calculator.ts';
import { decideDue } from '../oracle/truth.ts';
import { callerOf } from './caller.ts';
import { channelId } from './founding.ts';
import type { TaskListener } from './provider.ts';
import { noCounting, type RelayCallNeeds } from './relay-call.ts';
import { type TaskWork, taskWorkOf } from './task-work.ts';

const path = '/v1/tasks';
/** The longest window of any model. */
const maxTokens = 2_097_152;
const ending = { channelId, tried: [channelId] } as const;

/** One submission of a task, by the product's own reservation and records. */
export class RelayTask implements TaskListener {
  readonly #needs: RelayCallNeeds;
  readonly #work: TaskWork;
  #task: RunningTask | null = null;

  constructor(needs: RelayCallNeeds) {
    this.#needs = needs;
    this.#work = taskWorkOf(needs.truth.plan, needs.quote);
  }

  async start(): Promise<void> {
    const { metering, truth, now, reply } = this.#needs;
    const { quote, usage } = this.#work;
    truth.need = this.#cost(this.#work.needed);
    truth.askedAt = now();
    this.#needs.onAsked(truth);
    try {
      const caller = callerOf(truth.plan);
      const found = await reserveFor(metering, { caller, quote, usage });
      if (found === null || !('kind' in found)) {
        this.#begin(found);
        return;
      }
      truth.refusedAt = now();
      truth.refusal = found.refusal;
      this.#needs.onRefused(truth);
      reply('refused', `${found.refusal}, needs ${truth.need}`);
    } catch (error) {
      reply('failed', String(error));
    }
  }

  onTaken(upstreamId: string): void {
    const { truth, now, reply, machine } = this.#needs;
    decideDue(truth, this.#cost(this.#work.tokens), now());
    truth.isComplete = true;
    const { facts, charge } = this.#begun();
    const { quote, usage } = this.#work;
    const taken = this.#taken(upstreamId);
    const acceptedAt = machine.clock().toISOString();
    const outcome = acceptedTask(facts, { taken, quote, usage, channelId }, acceptedAt);
    const use = { usage: taken.used ?? usage, source: 'upstream', note: null, outcome } as const;
    charge.used({ ...use, end: 'complete' }, this.#attempt, () => {
      truth.bookedAt = now();
      reply('answered', 'the task is taken');
    });
  }

  onFailure(): void {
    const { truth, now, reply } = this.#needs;
    decideDue(truth, 0, now());
    const outcome = { kind: 'refused', code: null, reason: 'The provider refused' } as const;
    const error = { type: 'upstream_error', code: null, message: outcome.reason };
    const failure = { error, status: 502, outcome };
    const onKept = () => reply('failed', 'the provider refused');
    this.#begun().charge.failed(failure, this.#attempt, onKept);
  }

  #begin(reservation: Reservation | null): void {
    const { machine, metering, provider, truth, now } = this.#needs;
    const { quote, platform, action, model, properties } = this.#work;
    truth.admittedAt = now();
    truth.reserved = reservation?.reserved ?? 0;
    const { journal, leaseBook } = metering;
    const core = { journal, leaseBook, clock: machine.clock, counting: noCounting };
    const incoming = {
      ...{ requestId: truth.requestId, progress: noProgress() },
      req: { url: path },
    } as unknown as Incoming;
    const own = { platform, action, model, properties };
    this.#task = startTask(core, incoming, {
      caller: callerOf(truth.plan),
      facts: { ...own, group: 'default', prompt: '', state: '' },
      ...{ quote, channelId, reservation, permit: null },
    });
    truth.isAsked = true;
    provider.submit(machine, truth.plan, this);
  }

  #begun(): RunningTask {
    if (this.#task === null) throw new Error('a task that was not submitted');
    return this.#task;
  }

  get #attempt() {
    return { ...ending, upstreamModel: this.#work.model, firstByteMs: null };
  }

  #cost(tokens: Tokens): number {
    const { price } = this.#needs.truth;
    if (price === null) throw new Error('a task without a price');
    return costOf(price, tokens, this.#work.ratios);
  }

  /** A cache by the count of the provider. */
  #taken(upstreamId: string): TakenJob {
    const { machine, truth } = this.#needs;
    const { platform, quote, isSettled } = this.#work;
    if (platform !== 'cache') return { upstreamId, ...(isSettled && { details: { quote } }) };
    const { promptEstimate, promptTokens } = truth.plan;
    const answer = {
      name: upstreamId,
      expireTime: machine.clock().toISOString(),
      usageMetadata: { totalTokenCount: promptTokens },
    };
    return takenCache({ upstreamId, answer }, { promptTokens: promptEstimate, maxTokens });
  }
}
