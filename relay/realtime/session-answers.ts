import { identify } from '../admission/caller.ts';
import { noProgress } from '../admission/refusal-counter.ts';
import { usageNotRecordable } from '../admission/refusals.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import { responseFailed } from './session-errors.ts';
import { responseOf, type SessionPlan } from './session-plan.ts';
import type { ResponseHost, SessionResponse } from './session-response.ts';

/** Recorded answers: a provider may report the end of one twice. */
const maxEnded = 256;

/** What the charges of a session need of it. */
export type AnswersHost = Readonly<{
  host: ResponseHost;
  plan: SessionPlan;
  /** More is not funded, or the key was disabled. */
  stop: (error: ApiError) => void;
  /** An answer is complete and recorded. */
  onAnswerDone: () => void;
}>;

/** The answers of a session, each a separate request, whatever the protocol. */
export class SessionAnswers {
  private readonly deps: AnswersHost;
  private readonly running = new Map<string, SessionResponse>();
  private readonly ended = new Set<string>();
  private hasBegun = false;
  private over = false;

  constructor(deps: AnswersHost) {
    this.deps = deps;
  }

  /** Ids of answers in progress. */
  get open(): readonly string[] {
    return [...this.running.keys()];
  }

  get isOpen(): boolean {
    return this.running.size > 0;
  }

  /** Answers in progress of which no more is funded. */
  get unfunded(): readonly string[] {
    return [...this.running].filter(([, { isUnfunded }]) => isUnfunded).map(([id]) => id);
  }

  find(id: string): SessionResponse | null {
    return this.running.get(id) ?? null;
  }

  /** The answer in progress, where there is one alone. */
  get only(): SessionResponse | null {
    const [answer] = this.running.values();
    return this.running.size === 1 ? (answer ?? null) : null;
  }

  get refusal(): ApiError {
    return this.deps.plan.sessionReservation.refusal;
  }

  async begin(id: string): Promise<void> {
    if (this.running.has(id) || this.ended.has(id)) return;
    const { host, plan, stop } = this.deps;
    const refused = host.core.journal.accepting() ? await this.recheckKey() : usageNotRecordable;
    const reservation = refused === null ? await plan.sessionReservation.take() : null;
    if (reservation === null || this.over) {
      if (reservation !== null) host.core.leaseBook.settle(reservation, 0);
      stop(refused ?? this.refusal);
      return;
    }
    const answer = responseOf(host, plan, { reservation, isFirst: !this.hasBegun });
    this.hasBegun = true;
    this.running.set(id, answer);
    answer.start();
  }

  /** `isFailed`: the provider made nothing of it, and reports no usage. */
  async complete(id: string, usage: unknown, isFailed = false): Promise<void> {
    if (this.ended.has(id)) return;
    if (!this.running.has(id)) await this.begin(id);
    const answer = this.running.get(id);
    if (answer === undefined || this.over) return;
    this.running.delete(id);
    if (id !== '') this.claim(id);
    const amount = isFailed ? await answer.failed(responseFailed) : await answer.done(usage);
    this.deps.plan.sessionReservation.spent(amount);
    if (!this.over) this.deps.onAnswerDone();
  }

  /** Later reports of the same id are not charged again; false: this is one. */
  claim(id: string): boolean {
    if (this.ended.has(id)) return false;
    this.ended.add(id);
    for (const old of this.ended) if (this.ended.size > maxEnded) this.ended.delete(old);
    return true;
  }

  /** A key that was disabled during the session begins no more answers. */
  async recheckKey(): Promise<ApiError | null> {
    const { host, plan } = this.deps;
    const caller = await identify(host.core, {
      req: plan.incoming.req,
      arrivedAtMs: host.core.clock().getTime(),
      progress: noProgress(),
    });
    return isApiError(caller) ? caller : null;
  }

  /** No more answers begin; the caller ends those that it gets. */
  close(): readonly SessionResponse[] {
    this.over = true;
    const open = [...this.running.values()];
    this.running.clear();
    return open;
  }
}
