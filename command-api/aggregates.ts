import type { Event, Recorded } from '../domain/shared/event.ts';
import type { IdVoided } from '../domain/shared/identity.ts';

/** Where the events of one command stand in its stream. */
type CommandTrace = Readonly<{ first: bigint; count: number; hash: string | null }>;

/** A stream folded so far. `revision` -1: it has no events. */
export type Aggregate<S> = Readonly<{
  state: S;
  revision: bigint;
  position: bigint | null;
  /** The id was given up: nothing may come to be under it any more. */
  voided: boolean;
  /** The newest commands of the stream, oldest first. */
  commands: CommandTraces;
}>;

/** Grows in place, as copying it for each event would make long streams slow to load. */
export type CommandTraces = Map<string, CommandTrace>;

/** Commands remembered for each stream. A client that repeats later than that is a new wish. */
const rememberedCommands = 256;

export const emptyAggregate = <S>(state: S): Aggregate<S> => ({
  state,
  revision: -1n,
  position: null,
  voided: false,
  commands: new Map(),
});

/** Idempotent, since an event may come by twice when a read is broken off. */
const remember = (commands: CommandTraces, { metadata, revision }: Recorded): CommandTraces => {
  const { commandId, commandHash } = metadata;
  const first = commands.get(commandId)?.first ?? revision;
  const count = Number(revision - first) + 1;
  commands.set(commandId, { first, count, hash: commandHash ?? null });
  if (commands.size > rememberedCommands) {
    const [oldest] = commands.keys();
    if (oldest !== undefined) commands.delete(oldest);
  }
  return commands;
};

const isVoid = (event: Event): event is IdVoided => event.type === 'IdVoided';

/** One event further. */
export const advance = <E extends Event, S>(
  aggregate: Aggregate<S>,
  recorded: Recorded<E>,
  evolve: (state: S, event: E) => S,
): Aggregate<S> => ({
  state: isVoid(recorded.event) ? aggregate.state : evolve(aggregate.state, recorded.event),
  revision: recorded.revision,
  position: recorded.position,
  voided: aggregate.voided || isVoid(recorded.event),
  commands: remember(aggregate.commands, recorded),
});
