import { type Decider, reject } from '../../domain/shared/decider.ts';
import type { Command, Event, Recorded } from '../../domain/shared/event.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { createKeyedMutex } from '../shared/keyed-mutex.ts';
import { type Aggregate, emptyAggregate } from './aggregate.ts';
import { AggregateCache, type FoldRules } from './aggregate-cache.ts';
import { eventsToAppend } from './append.ts';
import type { CommandResult } from './command-result.ts';
import { type Decided, decideAndAppend } from './decide-and-append.ts';
import { type Digest, plainDigest } from './digest.ts';
import { idempotencyConflict, isSameIntent, repeatedAnswer, withFingerprint } from './repeats.ts';

type Settings = Readonly<{
  eventStore: EventStore;
  /** Makes the fingerprint of a command; keyed wherever its data may be guessed. */
  digest?: Digest;
  /** Streams kept in memory between commands. */
  keep?: number;
  /** Does `observe` get every event soon after it was written? Else memory is not trusted. */
  isLive?: () => boolean;
}>;

type Loaded<S> = Readonly<{ state: S; revision: bigint }>;

export interface CommandHandler {
  /**
   * Loads, decides, appends at the loaded revision, and retries on a conflict. A command id that
   * the stream already contains is answered with the events of the first time.
   */
  handle<C extends Command, E extends Event, S, R extends string>(
    decider: Decider<C, E, S, R>,
    streamId: string,
    command: C,
  ): Promise<CommandResult<E, R>>;
  /** The state in this process; `fresh` reads newer events from the log. */
  load<E extends Event, S>(
    rules: FoldRules<E, S>,
    streamId: string,
    options?: Readonly<{ fresh?: boolean }>,
  ): Promise<Loaded<S>>;
  /** Takes an event that any process appended; a state in memory that is older is dropped. */
  observe(recorded: Recorded): void;
}

/** The pipeline of `decide-and-append.ts` for one command at a time on any stream. */
export const createHandle = (settings: Settings): CommandHandler => {
  const { eventStore, keep, isLive, digest = plainDigest } = settings;
  const cache = new AggregateCache(eventStore, keep);
  const inTurn = createKeyedMutex();

  const storedEvents = async <E extends Event>(
    streamId: string,
    { first, count }: Readonly<{ first: number; count: number }>,
  ): Promise<readonly Recorded<E>[]> => {
    const stored: Recorded<E>[] = [];
    const range = { from: BigInt(first), maxCount: count };
    for await (const recorded of eventStore.readStream<E>(streamId, range)) stored.push(recorded);
    return stored;
  };

  /** The answer from the memory of earlier commands; null: the decider runs. */
  const answered = async <E extends Event, R extends string>(
    streamId: string,
    command: Command,
    { commands, voided }: Aggregate<unknown>,
  ): Promise<CommandResult<E, R> | null> => {
    const trace = commands.get(command.metadata.commandId);
    if (trace === undefined) return voided ? reject('request.expired') : null;
    if (!isSameIntent(trace.hash, command, digest)) return idempotencyConflict();
    return repeatedAnswer(await storedEvents<E>(streamId, trace));
  };

  const decideFor =
    <C extends Command, E extends Event, S, R extends string>(
      decider: Decider<C, E, S, R>,
      streamId: string,
      command: C,
    ) =>
    async (aggregate: Aggregate<S>): Promise<Decided<CommandResult<E, R>>> => {
      const known = await answered<E, R>(streamId, command, aggregate);
      if (known !== null) return { value: known, events: [], needsTail: false };
      const decision = decider.decide(command, aggregate.state);
      if (decision.kind === 'rejected') return { value: decision, events: [], needsTail: true };
      const events = eventsToAppend(streamId, withFingerprint(command, digest), decision.events);
      const value = { ...decision, position: null, repeated: false };
      return { value, events, needsTail: events.length === 0 };
    };

  return {
    handle: (decider, streamId, command) =>
      inTurn(streamId, async () => {
        const slot = cache.slotOf(decider, streamId);
        const decide = decideFor(decider, streamId, command);
        const { value, append } = await decideAndAppend(eventStore, slot, decide);
        return value.kind === 'accepted' && append !== null
          ? { ...value, position: append.position }
          : value;
      }),

    async load(rules, streamId, { fresh = false } = {}) {
      type S = (typeof rules)['initialState'];
      const remembered = cache.recall<S>(streamId);
      if (remembered && !fresh && isLive?.() !== false) return remembered;
      return inTurn(streamId, () => {
        const start = cache.recall<S>(streamId) ?? emptyAggregate(rules.initialState);
        return cache.read(rules, streamId, start);
      });
    },

    observe: (recorded) => cache.observe(recorded),
  };
};
