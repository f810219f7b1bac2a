import { expect } from 'vitest';
import type { Decider } from '../../domain/shared/decider.ts';
import type { Command, Event } from '../../domain/shared/event.ts';

export const fold = <E extends Event, S>(
  { initialState, evolve }: { initialState: S; evolve: (state: S, event: E) => S },
  events: Iterable<E>,
): S => {
  let state = initialState;
  for (const event of events) state = evolve(state, event);
  return state;
};

type Details = Readonly<Record<string, string | number>>;
type Then<E extends Event, S, R extends string> = Readonly<{
  /** Exactly these events follow. */
  thenEvents: (...events: readonly E[]) => void;
  /** The wish is already true: accepted, and nothing happens. */
  thenNothing: () => void;
  thenRejected: (code: R, details?: Details) => void;
  /** The state after what follows. */
  thenState: (expected: Partial<S>) => void;
}>;
type When<C extends Command, E extends Event, S, R extends string> = Readonly<{
  when: (command: C) => Then<E, S, R>;
}>;

/** The test language of a decider: `given(...events).when(command).thenEvents(...)`. */
export const deciderSpec =
  <C extends Command, E extends Event, S, R extends string>(decider: Decider<C, E, S, R>) =>
  (...events: readonly E[]): When<C, E, S, R> => ({
    when: (command) => {
      const state = fold(decider, events);
      const decision = decider.decide(command, state);
      const thenEvents = (...expected: readonly E[]): void => {
        expect(decision).toEqual({ kind: 'accepted', events: expected });
      };
      return {
        thenEvents,
        thenNothing: () => thenEvents(),
        thenRejected: (code, details) => {
          expect(decision).toMatchObject({ kind: 'rejected', code, ...(details && { details }) });
        },
        thenState: (expected) => {
          expect(decision.kind).toBe('accepted');
          const following = decision.kind === 'accepted' ? decision.events : [];
          expect(following.reduce(decider.evolve, state)).toMatchObject(expected);
        },
      };
    },
  });
