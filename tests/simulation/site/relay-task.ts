import type { TaskFacts } from '../../../domain/task/events.ts';
import type { Incoming } from '../../../relay/admission/admitted.ts';
import type { Reservation } from '../../../relay/admission/lease-book.ts';
import type { AcceptedTask } from '../../../relay/settlement/charge.ts';
import { takenCache } from '../../../relay/tasks/caches/taken-cache.ts';
import { reserveFor, TaskMoney } from '../../../relay/tasks/task-money.ts';
import { costOf, type Tokens } from '../oracle/calculator.ts';
import { decideDue } from '../oracle/truth.ts';
import { callerOf } from './caller.ts';
import { channelId } from './founding.ts';
import type { TaskListener } from './provider.ts';
import type { RelayCallNeeds } from './relay-call.ts';
import { type TaskWork, taskWorkOf } from './task-work.ts';

const path = '/v1/tasks';
/** The longest window of any model. */
const maxTokens = 2_097_152;
const ending = { channelId, tried: [channelId] } as const;

/** One submission of a task, by the product's own reservation and records. */
export class RelayTask implements TaskListener {
  readonly #needs: RelayCallNeeds;
  readonly #work: TaskWork;
  #money: TaskMoney | null = null;

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
      const found = await reserveFor(metering, caller, { quote, usage });
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
    const { truth, now, reply } = this.#needs;
    decideDue(truth, this.#cost(this.#work.tokens), now());
    truth.isComplete = true;
    const { outcome, ...more } =
      this.#work.platform === 'cache'
        ? this.#takenCache(upstreamId)
        : { outcome: this.#accepted(upstreamId) };
    const written = this.#money?.accepted(outcome, { ...ending, ...more });
    void written?.then(() => {
      truth.bookedAt = now();
      reply('answered', 'the task is taken');
    });
  }

  onFailure(): void {
    const { truth, now, reply } = this.#needs;
    decideDue(truth, 0, now());
    const refused = { kind: 'refused', code: null, reason: 'The provider refused' } as const;
    const written = this.#money?.refused(refused, { ...ending, status: 502 });
    void written?.then(() => reply('failed', 'the provider refused'));
  }

  #begin(reservation: Reservation | null): void {
    const { machine, metering, provider, truth, now } = this.#needs;
    const { quote, usage } = this.#work;
    truth.admittedAt = now();
    truth.reserved = reservation?.reserved ?? 0;
    const startedAtMs = machine.clock().getTime();
    const request = {
      incoming: { requestId: truth.requestId, req: { url: path } } as unknown as Incoming,
      caller: callerOf(truth.plan),
      facts: this.#facts(startedAtMs),
      quote,
      usage,
      startedAtMs,
    };
    const { journal, leaseBook } = metering;
    const core = { journal, leaseBook, clock: machine.clock };
    this.#money = new TaskMoney(core, request, reservation);
    truth.isAsked = true;
    provider.submit(machine, truth.plan, this);
  }

  #cost(tokens: Tokens): number {
    const { price } = this.#needs.truth;
    if (price === null) throw new Error('a task without a price');
    return costOf(price, tokens, this.#work.ratios);
  }

  #facts(startedAtMs: number): TaskFacts {
    const { truth } = this.#needs;
    const { userId } = callerOf(truth.plan).account;
    const { tokenId } = callerOf(truth.plan);
    const { platform, action, model, properties } = this.#work;
    return {
      taskId: truth.requestId,
      platform,
      userId,
      tokenId,
      channelId,
      action,
      model,
      group: 'default',
      prompt: '',
      state: '',
      properties,
      submittedAt: new Date(startedAtMs).toISOString(),
    };
  }

  /** By the count of the provider. */
  #takenCache(upstreamId: string): ReturnType<typeof takenCache> {
    const { machine, truth } = this.#needs;
    const { promptEstimate, promptTokens } = truth.plan;
    const work = { quote: this.#work.quote, promptTokens: promptEstimate, maxTokens };
    const now = machine.clock();
    const answer = {
      name: upstreamId,
      expireTime: now.toISOString(),
      usageMetadata: { totalTokenCount: promptTokens },
    };
    const ordered = { work, facts: this.#facts(now.getTime()), acceptedAt: now.toISOString() };
    return takenCache({ upstreamId, answer }, ordered);
  }

  #accepted(upstreamId: string): AcceptedTask {
    const { machine, truth } = this.#needs;
    const { platform, quote, isSettled } = this.#work;
    const { account } = callerOf(truth.plan);
    return {
      kind: 'accepted',
      taskId: truth.requestId,
      platform,
      userId: account.userId,
      channelId,
      upstreamId,
      code: 0,
      description: '',
      quota: this.#money?.amount ?? 0,
      acceptedAt: machine.clock().toISOString(),
      properties: '',
      ...(isSettled && { quote }),
      report: null,
    };
  }
}
