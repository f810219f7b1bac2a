import type { AccountEvent } from '../../domain/account/events.ts';
import type { RequestStarted, UsageRecord } from '../../domain/account/messages.ts';
import type { RelayId, RequestId, UserId } from '../../domain/shared/ids.ts';
import type { LoadedAccount } from './load-account.ts';
import { loweredLeases, mayLower } from './lowered-leases.ts';

type RelayInstance = {
  lastSeenMs: number;
  /** Accounts in which this relay holds leases. */
  readonly holds: Set<UserId>;
  /** Requests that it announced and whose end has not arrived yet. */
  readonly open: Map<RequestId, RequestStarted>;
};

/** Running relays, their leases and their requests in flight. */
export class LeaseWatch {
  readonly #relays = new Map<RelayId, RelayInstance>();
  /** When an account that holds leases last had an event or an inquiry. */
  readonly #activeAt = new Map<UserId, number>();
  /** Accounts with leases that were lowered and are not closed. */
  readonly #lowered = new Set<UserId>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  reported(relayId: RelayId): void {
    this.#relay(relayId).lastSeenMs = this.#now();
  }

  /** Leases of an account that was just read get a full grace if their relay is not tracked. */
  loaded({ userId, state }: LoadedAccount): void {
    for (const { holds } of this.#relays.values()) holds.delete(userId);
    for (const { relayId } of state.leases.values()) this.#relay(relayId).holds.add(userId);
    this.#noteActive({ userId, state });
    this.#noteLowered({ userId, state });
  }

  appended({ userId, state }: LoadedAccount, events: readonly AccountEvent[]): void {
    this.#noteActive({ userId, state });
    if (this.#lowered.has(userId) || events.some(mayLower)) this.#noteLowered({ userId, state });
    let isReleased = false;
    for (const event of events) {
      if (event.type === 'QuotaLeased') this.#relay(event.data.relayId).holds.add(userId);
      isReleased ||= event.type === 'LeaseReturned' || event.type === 'LeaseExpired';
    }
    if (!isReleased) return;
    const holders = new Set([...state.leases.values()].map(({ relayId }) => relayId));
    for (const [relayId, { holds }] of this.#relays) {
      if (!holders.has(relayId)) holds.delete(userId);
    }
  }

  /** Requests in flight, from the journal of their relay. */
  follow(record: UsageRecord): void {
    if (record.kind === 'lease-idle' || record.kind === 'producer-ended') return;
    if (record.kind === 'started') {
      this.#relay(record.relayId).open.set(record.requestId, record);
      return;
    }
    const requestId = record.kind === 'lost' ? record.requestId : record.call.requestId;
    this.#relays.get(record.relayId)?.open.delete(requestId);
  }

  silentFor(ttlMs: number): RelayId[] {
    const latest = this.#now() - ttlMs;
    return [...this.#relays].filter(([, { lastSeenMs }]) => lastSeenMs <= latest).map(([id]) => id);
  }

  isSilent(relayId: RelayId, ttlMs: number): boolean {
    const instance = this.#relays.get(relayId);
    return instance !== undefined && instance.lastSeenMs <= this.#now() - ttlMs;
  }

  holdsOf(relayId: RelayId): readonly UserId[] {
    return [...(this.#relays.get(relayId)?.holds ?? [])];
  }

  openOf(relayId: RelayId): readonly RequestStarted[] {
    return [...(this.#relays.get(relayId)?.open.values() ?? [])];
  }

  closed(relayId: RelayId, requestId: RequestId): void {
    this.#relays.get(relayId)?.open.delete(requestId);
  }

  /** Releases the requests of some accounts and returns them, for the next keeper. */
  takeOpen(isOurs: (userId: UserId) => boolean): readonly RequestStarted[] {
    const taken: RequestStarted[] = [];
    for (const { open } of this.#relays.values()) {
      for (const started of open.values()) {
        if (!isOurs(started.userId)) continue;
        taken.push(started);
        open.delete(started.requestId);
      }
    }
    return taken;
  }

  /** Accounts that hold leases and had no event for this long; each is named once in that time. */
  quietFor(quietMs: number): UserId[] {
    const now = this.#now();
    const quiet = [...this.#activeAt].filter(([, activeAt]) => activeAt <= now - quietMs);
    for (const [userId] of quiet) this.#activeAt.set(userId, now);
    return quiet.map(([userId]) => userId);
  }

  lowered(): readonly UserId[] {
    return [...this.#lowered];
  }

  /** Nothing is left of it. */
  forget(relayId: RelayId): void {
    const instance = this.#relays.get(relayId);
    if (instance?.holds.size === 0 && instance.open.size === 0) this.#relays.delete(relayId);
  }

  holdsAny(userId: UserId): boolean {
    for (const { holds } of this.#relays.values()) if (holds.has(userId)) return true;
    return false;
  }

  counts(): Readonly<{ leases: number; open: number; relays: number }> {
    let leases = 0;
    let open = 0;
    for (const instance of this.#relays.values()) {
      leases += instance.holds.size;
      open += instance.open.size;
    }
    return { leases, open, relays: this.#relays.size };
  }

  #noteActive({ userId, state }: Pick<LoadedAccount, 'userId' | 'state'>): void {
    if (state.leases.size === 0) this.#activeAt.delete(userId);
    else this.#activeAt.set(userId, this.#now());
  }

  #noteLowered({ userId, state }: Pick<LoadedAccount, 'userId' | 'state'>): void {
    if (loweredLeases(state).length > 0) this.#lowered.add(userId);
    else this.#lowered.delete(userId);
  }

  #relay(relayId: RelayId): RelayInstance {
    const known = this.#relays.get(relayId);
    if (known !== undefined) return known;
    const instance: RelayInstance = { lastSeenMs: this.#now(), holds: new Set(), open: new Map() };
    this.#relays.set(relayId, instance);
    return instance;
  }
}
