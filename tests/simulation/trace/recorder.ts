import type { AccountEvent } from '../../../domain/account/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import { relayName } from '../history.ts';
import type { Watcher, World } from '../world/world.ts';
import type { Trace, TracedCall, TracedLease, TracedMessage, TracedNote } from './trace.ts';

const mostShown = 400;

const shown = (fields: unknown): string => {
  const text = JSON.stringify(fields, (_key, value: unknown) =>
    value instanceof Error ? `${value.name}: ${value.message}` : value,
  );
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
};

/** Writes down what the watcher of a world sees. */
export class Recorder implements Watcher {
  readonly #messages: TracedMessage[] = [];
  readonly #notes: TracedNote[] = [];
  readonly #leases: TracedLease[] = [];
  readonly #open = new Map<string, TracedLease>();
  readonly #chargedAt = new Map<string, number>();
  #now: () => number = () => 0;

  begin(now: () => number): void {
    this.#now = now;
  }

  message(from: string, to: string, sentAt: number, at: number): void {
    this.#messages.push({ from, to, sentAt, at });
  }

  note(machine: string, text: string): void {
    this.#add('note', machine, text);
  }

  stored(events: readonly Recorded[]): void {
    for (const { event, streamId, revision } of events) {
      this.#add('event', 'log', `${streamId}@${revision} ${event.type} ${shown(event.data)}`);
      if (streamId.startsWith('account-')) this.#followLease(event as AccountEvent);
    }
  }

  logger(machine: string): Logger {
    const say = (level: string) => (fields: object, message: string) =>
      this.#add('log-line', machine, `${level} ${message} ${shown(fields)}`);
    const logger: Logger = {
      debug: () => undefined,
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
      child: () => logger,
    };
    return logger;
  }

  /** The whole of it, when the history is over. */
  trace({ truth, machines, scheduler }: World): Trace {
    for (const lease of this.#open.values()) lease.to = scheduler.now;
    const calls = truth.calls.map(
      ({ requestId, plan, sentAt, admittedAt, bookedAt, outcome }): TracedCall => ({
        id: requestId,
        relay: relayName(plan.relay),
        sentAt,
        admittedAt,
        bookedAt,
        chargedAt: this.#chargedAt.get(requestId) ?? null,
        outcome,
      }),
    );
    const names = machines.map(({ name }) => name);
    return {
      machines: names,
      messages: this.#messages,
      notes: this.#notes,
      leases: this.#leases,
      calls,
    };
  }

  #followLease(event: AccountEvent): void {
    const at = this.#now();
    if (event.type === 'RequestCharged') this.#chargedAt.set(event.data.call.requestId, at);
    if (event.type === 'QuotaLeased') {
      const { leaseId, amount } = event.data;
      const known = this.#open.get(leaseId);
      if (known !== undefined) known.amount += amount;
      else this.#openLease(leaseId, at, amount);
    }
    if (event.type !== 'LeaseReturned' && event.type !== 'LeaseExpired') return;
    const lease = this.#open.get(event.data.leaseId);
    if (lease === undefined) return;
    lease.to = at;
    this.#open.delete(event.data.leaseId);
  }

  #openLease(id: string, from: number, amount: number): void {
    const lease: TracedLease = { id, from, to: from, amount };
    this.#open.set(id, lease);
    this.#leases.push(lease);
  }

  #add(kind: TracedNote['kind'], machine: string, text: string): void {
    this.#notes.push({ at: this.#now(), machine, kind, text });
  }
}
