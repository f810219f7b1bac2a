import type { Recorded } from '../../../domain/shared/event.ts';
import {
  judgeAppend,
  type KnownEvent,
} from '../../../infra/embedded/event-store/log/append-rules.ts';
import { visibleRange } from '../../../infra/embedded/event-store/log/stream-metadata.ts';
import type { StreamState } from '../../../infra/embedded/event-store/types.ts';
import type {
  AppendResult,
  EventToAppend,
  ExpectedRevision,
} from '../../../infra/ports/event-store.ts';

import { plainCopy } from './plain-copy.ts';

type Stream = {
  readonly id: string;
  events: Recorded[];
  metadata: Buffer | null;
  metadataRevision: number;
};

export type StreamRead = Readonly<{ from?: bigint; maxCount?: number; backwards?: boolean }>;
export type Bounds = Readonly<{ maxCount?: number; maxAgeSeconds?: number }>;

const stateOf = ({ events, metadata, metadataRevision }: Stream): StreamState => ({
  id: 0,
  lastRevision: Number(events.at(-1)?.revision ?? -1n),
  isTombstoned: false,
  metadataRevision,
  metadata,
});

/** The event store behind the wire: the append rules of the embedded node over an array. */
export class SimLog {
  readonly #streams = new Map<string, Stream>();
  #events: Recorded[] = [];
  readonly #listeners = new Set<(events: readonly Recorded[]) => void>();

  get all(): readonly Recorded[] {
    return this.#events;
  }

  get head(): bigint | null {
    return this.#events.at(-1)?.position ?? null;
  }

  /** Called with events as they are stored; with none that a backup restores. */
  listen(listener: (events: readonly Recorded[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** null: the stream is not where the writer thought. */
  append(
    streamId: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): AppendResult | null {
    const stream = this.#stream(streamId);
    const verdict = judgeAppend(stateOf(stream), {
      expected: typeof expected === 'bigint' ? Number(expected) : expected,
      eventIds: events.map(({ eventId }) => eventId),
      known: (eventId) => this.#known(stream, eventId),
    });
    if (verdict.kind === 'wrong-version' || verdict.kind === 'stream-deleted') return null;
    if (verdict.kind === 'repeat') {
      const { revision, position } = verdict.last;
      return { revision: BigInt(revision), position: BigInt(position) };
    }
    return this.#store(stream, events);
  }

  read(streamId: string, { from, maxCount, backwards = false }: StreamRead): readonly Recorded[] {
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return [];
    const { first, isHidden } = visibleRange(stateOf(stream), false, 0);
    if (isHidden) return [];
    const wanted = stream.events.filter(({ revision }) => {
      if (revision < first) return false;
      if (from === undefined) return true;
      return backwards ? revision <= from : revision >= from;
    });
    if (backwards) wanted.reverse();
    return maxCount === undefined ? wanted : wanted.slice(0, maxCount);
  }

  after(position: bigint | null): readonly Recorded[] {
    // Positions are 1, 2, 3 …; a copy also of all, since a message in flight does not grow.
    return this.#events.slice(Number(position ?? 0n));
  }

  bound(streamId: string, { maxCount, maxAgeSeconds }: Bounds): void {
    const stream = this.#stream(streamId);
    const metadata = {
      ...(maxCount === undefined ? {} : { $maxCount: maxCount }),
      ...(maxAgeSeconds === undefined ? {} : { $maxAge: maxAgeSeconds }),
    };
    stream.metadata = Buffer.from(JSON.stringify(metadata));
    stream.metadataRevision += 1;
  }

  /** The content of a backup of that moment: all that is later is gone. */
  restore(length: number): void {
    this.#events = this.#events.slice(0, length);
    const last = BigInt(length);
    for (const stream of this.#streams.values()) {
      stream.events = stream.events.filter(({ position }) => position <= last);
    }
  }

  /** Overwrites the stored events, which no process may do. */
  tamper(change: (events: Recorded[]) => Recorded[]): void {
    this.#events = change([...this.#events]);
    for (const stream of this.#streams.values()) {
      stream.events = this.#events.filter(({ streamId }) => streamId === stream.id);
    }
  }

  #store(stream: Stream, events: readonly EventToAppend[]): AppendResult {
    const stored: Recorded[] = [];
    let revision = BigInt(stateOf(stream).lastRevision);
    for (const { event, eventId, metadata } of events) {
      revision += 1n;
      // As through JSON on the wire: what is not plain JSON shows, and no object is shared.
      const position = BigInt(this.#events.length + 1);
      const recorded: Recorded = {
        event: plainCopy(event),
        metadata: plainCopy(metadata),
        eventId,
        streamId: stream.id,
        revision,
        position,
      };
      this.#events.push(recorded);
      stream.events.push(recorded);
      stored.push(recorded);
    }
    for (const listener of this.#listeners) listener(stored);
    return { revision, position: BigInt(this.#events.length) };
  }

  #known({ events }: Stream, eventId: string): KnownEvent[] {
    return events
      .filter((event) => event.eventId === eventId)
      .map(({ revision, position }) => ({
        revision: Number(revision),
        position: Number(position),
      }));
  }

  #stream(id: string): Stream {
    const known = this.#streams.get(id);
    if (known !== undefined) return known;
    const stream: Stream = { id, events: [], metadata: null, metadataRevision: -1 };
    this.#streams.set(id, stream);
    return stream;
  }
}
