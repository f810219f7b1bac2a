import { LRUCache } from 'lru-cache';
import { type Decider, reject } from '../domain/shared/decider.ts';
import type { Command, Event, Recorded } from '../domain/shared/event.ts';
import type { EventStore, UnreadableEvent } from '../infra/ports/event-store.ts';
import { type Aggregate, advance, emptyAggregate } from './aggregates.ts';
import type { CommandResult } from './command-result.ts';
import { type Digest, plainDigest } from './digest.ts';
import { isWrongExpectedRevision } from './errors.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import { uuidFrom } from './uuid.ts';

type Settings = Readonly<{
  eventStore: EventStore;
  /** Brings events of old versions to today's shape. */
  upcast?: (recorded: Recorded) => Recorded;
  /** Makes the fingerprint of a command; keyed wherever its data may be guessed. */
  digest?: Digest;
  /** Streams kept in memory between commands. */
  keep?: number;
  /** Does `observe` hear of every event soon after it was written? Else memory is not trusted. */
  isLive?: () => boolean;
}>;

type Rules<E extends Event, S> = Readonly<{
  initialState: S;
  evolve: (state: S, event: E) => S;
}>;

type Loaded<S> = Readonly<{ state: S; revision: bigint }>;

export interface CommandHandler {
  /**
   * Loads, decides, appends at the loaded revision, and tries again on a conflict. A command id that
   * the stream knows already is answered with the events of the first time.
   */
  handle<C extends Command, E extends Event, S, R extends string>(
    decider: Decider<C, E, S, R>,
    streamId: string,
    command: C,
  ): Promise<CommandResult<E, R>>;
  /** The state as far as this process knows; `fresh` asks the log for what is newer. */
  load<E extends Event, S>(
    rules: Rules<E, S>,
    streamId: string,
    options?: Readonly<{ fresh?: boolean }>,
  ): Promise<Loaded<S>>;
  /** Tells of an event that somebody appended; a state in memory that is older is dropped. */
  observe(recorded: Recorded): void;
}

/** Conflicts in a row on one stream before the command is given up. */
const maxAttempts = 12;
const keptStreams = 20_000;

/** Metadata stands apart: a repeat comes at another time, from the same wish. */
const contentOf = ({ type, data }: Command): string => JSON.stringify([type, data]);

type Step<E extends Event, R extends string> = CommandResult<E, R> | 'conflict';

/** The one way from a command to events, free of business. */
export const createHandle = (settings: Settings): CommandHandler => {
  const { eventStore, upcast, keep, isLive, digest = plainDigest } = settings;

  // Each stream belongs to one decider, which its category names, so the states keep their types.
  const kept = new LRUCache<string, Aggregate<unknown>>({ max: keep ?? keptStreams });
  const inTurn = createKeyedMutex();
  /** Streams being read, each with the newest revision that was heard of meanwhile. */
  const newest = new Map<string, bigint>();

  const fingerprint = (command: Command): string =>
    command.metadata.commandHash ?? digest(contentOf(command));

  /** Fingerprints of earlier versions have no key. */
  const isSameWish = (hash: string | null, command: Command): boolean =>
    hash === fingerprint(command) ||
    (command.metadata.commandHash === undefined && hash === plainDigest(contentOf(command)));

  const read = async <E extends Event, S>(
    { evolve }: Rules<E, S>,
    streamId: string,
    start: Aggregate<S>,
  ): Promise<Aggregate<S>> => {
    let aggregate = start;
    const from = start.revision + 1n;
    newest.set(streamId, -1n);
    const onUnreadable = ({ revision }: UnreadableEvent): void => {
      aggregate = { ...aggregate, revision };
    };
    for await (const raw of eventStore.readStream<E>(streamId, { from, onUnreadable })) {
      const recorded = upcast ? (upcast(raw) as Recorded<E>) : raw;
      aggregate = advance(aggregate, recorded, evolve);
    }
    // What does not exist is not kept: the next caller may be the one who waits for it to appear.
    const upToDate = aggregate.revision >= (newest.get(streamId) ?? -1n);
    newest.delete(streamId);
    if (aggregate.revision >= 0n && upToDate) kept.set(streamId, aggregate);
    return aggregate;
  };

  const recall = <S>(streamId: string): Aggregate<S> | undefined =>
    kept.get(streamId) as Aggregate<S> | undefined;

  const storedEvents = async <E extends Event>(
    streamId: string,
    { first, count }: Readonly<{ first: bigint; count: number }>,
  ): Promise<Readonly<{ events: E[]; position: bigint | null }>> => {
    const events: E[] = [];
    let position: bigint | null = null;
    const range = { from: first, maxCount: count };
    for await (const raw of eventStore.readStream<E>(streamId, range)) {
      const recorded = upcast ? (upcast(raw) as Recorded<E>) : raw;
      events.push(recorded.event);
      position = recorded.position;
    }
    return { events, position };
  };

  const answerRepeat = async <E extends Event, R extends string>(
    streamId: string,
    command: Command,
    aggregate: Aggregate<unknown>,
  ): Promise<CommandResult<E, R> | null> => {
    const trace = aggregate.commands.get(command.metadata.commandId);
    if (!trace) return null;
    if (!isSameWish(trace.hash, command)) return reject('request.idempotency-conflict');
    const { events, position } = await storedEvents<E>(streamId, trace);
    return { kind: 'accepted', events, position, repeated: true };
  };

  const append = async <E extends Event, S>(
    rules: Rules<E, S>,
    {
      streamId,
      command,
      aggregate,
    }: Readonly<{
      streamId: string;
      command: Command;
      aggregate: Aggregate<S>;
    }>,
    events: readonly E[],
  ): Promise<bigint | 'conflict'> => {
    const metadata = { ...command.metadata, commandHash: fingerprint(command) };
    const toAppend = events.map((event, index) => ({
      event,
      eventId: uuidFrom(`${streamId}/${metadata.commandId}#${index}`),
      metadata,
    }));
    const expected = aggregate.revision < 0n ? 'no-stream' : aggregate.revision;
    try {
      const { position, revision } = await eventStore.append(streamId, toAppend, expected);
      let next = aggregate;
      const first = revision - BigInt(events.length) + 1n;
      for (const [index, { event, eventId }] of toAppend.entries()) {
        const at = { revision: first + BigInt(index), position };
        next = advance(next, { event, eventId, metadata, streamId, ...at }, rules.evolve);
      }
      kept.set(streamId, next);
      return position;
    } catch (error) {
      kept.delete(streamId);
      if (isWrongExpectedRevision(error)) return 'conflict';
      throw error;
    }
  };

  const decide = async <C extends Command, E extends Event, S, R extends string>(
    decider: Decider<C, E, S, R>,
    streamId: string,
    command: C,
  ) => {
    const decideOn = (aggregate: Aggregate<S>) => ({
      aggregate,
      decision: decider.decide(command, aggregate.state),
    });
    const remembered = recall<S>(streamId);
    if (remembered) {
      const decided = decideOn(remembered);
      // Without an append no revision check tells whether memory was up to date.
      if (decided.decision.kind !== 'rejected' && decided.decision.events.length > 0)
        return decided;
    }
    const start = remembered ?? emptyAggregate(decider.initialState);
    return decideOn(await read(decider, streamId, start));
  };

  const attempt = async <C extends Command, E extends Event, S, R extends string>(
    decider: Decider<C, E, S, R>,
    streamId: string,
    command: C,
  ): Promise<Step<E, R>> => {
    const { aggregate, decision } = await decide(decider, streamId, command);
    const repeat = await answerRepeat<E, R>(streamId, command, aggregate);
    if (repeat) return repeat;
    if (aggregate.voided) return reject('request.expired');
    if (decision.kind === 'rejected') return decision;
    const { events } = decision;
    if (events.length === 0) return { ...decision, position: null, repeated: false };
    const position = await append(decider, { streamId, command, aggregate }, events);
    return position === 'conflict' ? position : { ...decision, position, repeated: false };
  };

  return {
    handle: (decider, streamId, command) =>
      inTurn(streamId, async () => {
        for (let tries = 0; tries < maxAttempts; tries += 1) {
          const step = await attempt(decider, streamId, command);
          if (step !== 'conflict') return step;
        }
        throw new Error(`stream ${streamId} moved on ${maxAttempts} times in a row`);
      }),

    async load(rules, streamId, { fresh = false } = {}) {
      type S = (typeof rules)['initialState'];
      const remembered = recall<S>(streamId);
      if (remembered && !fresh && isLive?.() !== false) return remembered;
      return inTurn(streamId, () =>
        read(rules, streamId, recall<S>(streamId) ?? emptyAggregate(rules.initialState)),
      );
    },

    observe({ streamId, revision }) {
      const remembered = kept.get(streamId);
      if (remembered && remembered.revision < revision) kept.delete(streamId);
      if ((newest.get(streamId) ?? revision) < revision) newest.set(streamId, revision);
    },
  };
};
