import type { Command, Event } from './event.ts';

export type Accepted<E extends Event> = Readonly<{ kind: 'accepted'; events: readonly E[] }>;
export type Rejected<R extends string> = Readonly<{
  kind: 'rejected';
  code: R;
  /** Values that the message of refusal may show. */
  details?: Readonly<Record<string, string | number>>;
}>;
export type Decision<E extends Event, R extends string> = Accepted<E> | Rejected<R>;

/** The rules of one kind of stream: pure functions over its own events. */
export type Decider<C extends Command, E extends Event, S, R extends string> = Readonly<{
  initialState: S;
  decide: (command: C, state: S) => Decision<E, R>;
  evolve: (state: S, event: E) => S;
}>;

export const accept = <E extends Event>(...events: readonly E[]): Accepted<E> => ({
  kind: 'accepted',
  events,
});

export const reject = <R extends string>(
  code: R,
  details?: Readonly<Record<string, string | number>>,
): Rejected<R> =>
  details === undefined ? { kind: 'rejected', code } : { kind: 'rejected', code, details };
