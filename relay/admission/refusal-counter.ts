import {
  otherRefusals,
  quarterSeconds,
  type Refusal,
  type RefusalsRecorded,
  type RefusedCalls,
  refusedSubject,
} from '../../domain/relay/refusals.ts';
import type { RequestId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';

/** How far a request has come, which is what the record of its refusal names. */
export type AdmissionProgress = {
  /** 0: the key is not known, or not read yet. */
  userId: number;
  tokenId: number;
  /** As the caller named it; "": not read yet. */
  model: string;
  /** From here on the outcome of the call is recorded, whatever it is. */
  isAdmitted: boolean;
};

export const noProgress = (): AdmissionProgress => ({
  userId: 0,
  tokenId: 0,
  model: '',
  isAdmitted: false,
});

type RefusedCall = Readonly<{ requestId: RequestId; progress: Readonly<AdmissionProgress> }>;

type Settings = Readonly<{
  bus: Bus;
  clock: Clock;
  logger: Logger;
  relayId: string;
  /** Kinds of one quarter of an hour, and those of one user among them. */
  maxKinds?: number;
  maxKindsOfUser?: number;
  /** Ticks between two messages. */
  ticks?: number;
}>;

const maxModelLength = 128;
const timeoutMs = 2_000;

type Counted = { -readonly [Name in keyof Refusal]: Refusal[Name] };
type Kind = Pick<Refusal, 'reason' | 'userId' | 'tokenId' | 'model' | 'quarter'>;

/**
 * Counts the calls that this relay refuses, and sends the counts to the control plane. What was not
 * taken over is sent again under the same number. Counts that are not sent yet end with the process.
 */
export class RefusalCounter {
  /** Of the ticker. */
  tickerSlot = -1;
  readonly #settings: Required<Settings>;
  #quarter = 0;
  /** Kinds of this quarter; beyond a bound only those of "other" are added. */
  readonly #kinds = new Set<string>();
  readonly #kindsOfUser = new Map<number, number>();
  #counted = new Map<string, Counted>();
  /** Sent, and not taken over yet. */
  #unsent: RefusedCalls | null = null;
  #sending: Promise<void> = Promise.resolve();
  #sequence = 0;
  #ticks = 0;

  constructor(settings: Settings) {
    this.#settings = { maxKinds: 1_000, maxKindsOfUser: 100, ticks: 10, ...settings };
  }

  count({ requestId, progress }: RefusedCall, reason: string): void {
    const { userId, tokenId, model } = progress;
    const kind = { reason, userId, tokenId, model: model.slice(0, maxModelLength) };
    this.#add({ ...kind, quarter: this.#currentQuarter() }, requestId);
  }

  /** Sends what has been counted, at every tenth tick. */
  onTick(): void {
    this.#ticks += 1;
    if (this.#ticks % this.#settings.ticks === 0) void this.flush();
  }

  /** Sends what has been counted until now; never rejects. */
  flush(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#send());
    return this.#sending;
  }

  #currentQuarter(): number {
    const seconds = Math.floor(this.#settings.clock().getTime() / 1_000);
    const quarter = seconds - (seconds % quarterSeconds);
    if (quarter !== this.#quarter) {
      this.#quarter = quarter;
      this.#kinds.clear();
      this.#kindsOfUser.clear();
    }
    return quarter;
  }

  #add(kind: Kind, requestId: RequestId): void {
    const { userId, quarter } = kind;
    const key = JSON.stringify([quarter, kind.reason, userId, kind.tokenId, kind.model]);
    if (!this.#kinds.has(key)) {
      const ofUser = this.#kindsOfUser.get(userId) ?? 0;
      const { maxKinds, maxKindsOfUser } = this.#settings;
      const isOther = kind.model === otherRefusals && userId === 0;
      if (!isOther && (this.#kinds.size >= maxKinds || ofUser >= maxKindsOfUser)) {
        const other = { ...kind, userId: 0, tokenId: 0, model: otherRefusals };
        this.#add(other, requestId);
        return;
      }
      this.#kinds.add(key);
      this.#kindsOfUser.set(userId, ofUser + 1);
    }
    const counted = this.#counted.get(key);
    if (counted === undefined) {
      const ids = { firstRequestId: requestId, lastRequestId: requestId };
      this.#counted.set(key, { ...kind, count: 1, ...ids });
    } else {
      counted.count += 1;
      counted.lastRequestId = requestId;
    }
  }

  #next(): RefusedCalls | null {
    if (this.#counted.size === 0) return null;
    const refusals = [...this.#counted.values()];
    this.#counted = new Map();
    const { relayId } = this.#settings;
    return { relayId, sequence: this.#sequence, refusals };
  }

  async #send(): Promise<void> {
    this.#unsent ??= this.#next();
    if (this.#unsent === null) return;
    const { bus, logger } = this.#settings;
    try {
      const options = { timeoutMs };
      await bus.request<RefusedCalls, RefusalsRecorded>(refusedSubject, this.#unsent, options);
      this.#unsent = null;
      this.#sequence += 1;
    } catch (error) {
      logger.warn({ err: error }, 'refused calls could not be recorded; they are sent again');
    }
  }
}
