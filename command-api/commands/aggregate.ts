import type { Event, Recorded } from '../../domain/shared/event.ts';
import type { IdVoided } from '../../domain/shared/identity.ts';
import { CommandMemory } from './command-memory.ts';

/** A stream folded so far. `revision` -1: it has no events. */
export type Aggregate<S> = Readonly<{
  state: S;
  revision: bigint;
  position: bigint | null;
  /** The id is fenced: no command is accepted under it any more. */
  voided: boolean;
  /** Grows in place, as copying it for each event would make long streams slow to load. */
  commands: CommandMemory;
}>;

export const emptyAggregate = <S>(state: S): Aggregate<S> => ({
  state,
  revision: -1n,
  position: null,
  voided: false,
  commands: new CommandMemory(),
});

const isVoid = (event: Event): event is IdVoided => event.type === 'IdVoided';

/** Folds the next event. */
export const advance = <E extends Event, S>(
  aggregate: Aggregate<S>,
  recorded: Recorded<E>,
  evolve: (state: S, event: E) => S,
): Aggregate<S> => {
  const { event, metadata, revision, position } = recorded;
  aggregate.commands.note(metadata, Number(revision));
  return {
    state: isVoid(event) ? aggregate.state : evolve(aggregate.state, event),
    revision,
    position,
    voided: aggregate.voided || isVoid(event),
    commands: aggregate.commands,
  };
};
