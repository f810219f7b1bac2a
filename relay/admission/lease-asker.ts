import type { LeaseReply, LeaseRequest } from '../../domain/account/messages.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Counter } from '../../infra/ports/metrics.ts';
import type { LeaseBookSettings } from './lease-book.ts';
import type { Lease, Refusal } from './lease-book-lease.ts';

export const unavailable: Refusal = {
  kind: 'refused',
  refusal: 'keeper-unavailable',
  balance: 0,
  tokenRemain: null,
};

export const refusalOf = ({ refusal, balance, tokenRemain }: LeaseReply): Refusal => {
  const isTokenShort = tokenRemain !== null && tokenRemain < balance;
  const reason = refusal ?? (isTokenShort ? 'token-exhausted' : 'balance-exhausted');
  return { kind: 'refused', refusal: reason, balance, tokenRemain };
};

/** The grant does not cover the whole request. */
export const isShortOf = ({ refusal, granted }: LeaseReply, need: number): boolean =>
  refusal !== null || granted < need;

const firstRetryMs = 100;
const maxRetryMs = 1_000;

/** `sentAtMs`: monotonic, of the lease request that was answered. */
type Answered = Readonly<{ reply: LeaseReply; sentAtMs: number }>;
/** `lapsed`: the lease is not to be used again; `stopped`: the relay stops. */
export type Answer = Answered | 'lapsed' | 'stopped';

/** Sends lease requests to the keeper until one is answered. */
export class LeaseAsker {
  readonly #settings: LeaseBookSettings;
  readonly #timeoutMs: number;
  readonly #requests: Counter;
  readonly #wake = new Set<() => void>();
  /** Accounts in which a lease lapsed, until the next grant. */
  readonly #lapsed = new Set<UserId>();
  /** Rises over all leases. */
  #lastRequest = 0;
  #isStopped = false;

  constructor(settings: LeaseBookSettings) {
    this.#settings = settings;
    this.#timeoutMs = settings.askTimeoutMs ?? 2_000;
    this.#requests = settings.metrics.counter({
      name: 'tollgate_relay_lease_asks_total',
      help: 'Lease requests of this relay',
      labels: ['outcome'],
    });
  }

  /** The keeper may have given away what this relay still spends there. */
  lapsed(userId: UserId): void {
    this.#lapsed.add(userId);
  }

  stop(): void {
    this.#isStopped = true;
    for (const wake of this.#wake) wake();
  }

  /** Waiters are refused after the time limit; the lease request continues for later ones. */
  async ask(lease: Lease, need: number, isLapsed: () => boolean): Promise<Answer> {
    const { timers } = this.#settings;
    this.#lastRequest += 1;
    const ask = this.#lastRequest;
    const patientUntil = timers.now() + this.#timeoutMs;
    for (let delayMs = firstRetryMs; ; delayMs = Math.min(delayMs * 2, maxRetryMs)) {
      if (isLapsed()) return 'lapsed';
      const sentAtMs = timers.now();
      const reply = await this.#send(lease, need, ask);
      if (reply !== null && reply.refusal !== 'usage-pending') {
        this.#lapsed.delete(lease.userId);
        return { reply, sentAtMs };
      }
      if (timers.now() >= patientUntil) lease.refuseAll(unavailable);
      if (this.#isStopped) return 'stopped';
      await this.#pause(delayMs);
    }
  }

  async #send(lease: Lease, need: number, ask: number): Promise<LeaseReply | null> {
    const { relayId, bus, journal, logger } = this.#settings;
    const { userId, tokenId } = lease;
    const recorded = this.#lapsed.has(userId) ? { recorded: journal.unsettledNumber(userId) } : {};
    const body = { relayId, userId, tokenId, lease: lease.number, need, ask, ...recorded };
    try {
      const options = { timeoutMs: this.#timeoutMs };
      const reply = await bus.request<LeaseRequest, LeaseReply>('keeper.lease', body, options);
      this.#requests.inc(1, { outcome: reply.refusal ?? 'granted' });
      return reply;
    } catch (error) {
      this.#requests.inc(1, { outcome: 'unavailable' });
      logger.warn({ leaseId: lease.leaseId, error: String(error) }, 'the keeper does not answer');
      lease.refuseAll(unavailable);
      return null;
    }
  }

  #pause(ms: number): Promise<void> {
    const { timers } = this.#settings;
    return new Promise((resolve) => {
      const done = () => {
        timers.clear(timer);
        this.#wake.delete(done);
        resolve();
      };
      const timer = timers.setTimeout(done, ms);
      this.#wake.add(done);
    });
  }
}
