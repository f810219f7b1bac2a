import { randomUUID } from 'node:crypto';
import {
  ABSENT,
  type Expected,
  isMetaStream,
  type LogRecord,
  metaStreamOf,
  originalOf,
  type ProposedEvent,
  type StreamState,
  TOMBSTONE_REVISION,
  type WriteResult,
} from '../types.ts';
import { judgeAppend, judgeDelete, judgeTombstone, type KnownEvent } from './append-rules.ts';
import { retentionOf, softDeletedMetadata, undeletedMetadata } from './stream-metadata.ts';

export type Write = Readonly<{
  kind: 'append' | 'delete' | 'tombstone';
  stream: string;
  expected: Expected;
  events: readonly ProposedEvent[];
}>;

/** Places of event ids in the committed log. */
export type KnownIds = ReadonlyMap<string, readonly (KnownEvent & { streamId: number })[]>;

/** A record and the stream row it hangs on. */
export type NewRecord = Readonly<{ streamId: number; record: LogRecord }>;

const systemEvent = (type: string, data: Buffer): ProposedEvent => ({
  eventId: randomUUID(),
  type,
  isJson: true,
  data,
  metadata: Buffer.alloc(0),
});

/** Several writes decided in order, each on top of those before it; nothing is committed yet. */
export class Batch {
  readonly records: NewRecord[] = [];
  readonly changed = new Map<string, StreamState>();
  readonly #committed: ReadonlyMap<string, StreamState>;
  readonly #knownIds: KnownIds;
  readonly #createdAtMs: number;
  /** Of the first `#indexed` records. */
  readonly #ownIds = new Map<string, (KnownEvent & { streamId: number })[]>();
  #indexed = 0;
  #position: number;
  #nextStreamId: number;

  constructor(
    base: Readonly<{ head: number; nextStreamId: number; createdAtMs: number }>,
    committed: ReadonlyMap<string, StreamState>,
    knownIds: KnownIds,
  ) {
    this.#position = base.head;
    this.#nextStreamId = base.nextStreamId;
    this.#createdAtMs = base.createdAtMs;
    this.#committed = committed;
    this.#knownIds = knownIds;
  }

  get head(): number {
    return this.#position;
  }

  get nextStreamId(): number {
    return this.#nextStreamId;
  }

  apply(write: Write): WriteResult {
    const state = this.#state(write.stream);
    if (isMetaStream(write.stream) && this.#state(originalOf(write.stream)).isTombstoned) {
      return { kind: 'stream-deleted' };
    }
    if (write.kind === 'delete') return this.#delete(write, state);
    if (write.kind === 'tombstone') return this.#tombstone(write, state);
    return this.#append(write, state);
  }

  #append({ stream, expected, events }: Write, state: StreamState): WriteResult {
    const eventIds = events.map(({ eventId }) => eventId);
    const known = (eventId: string): KnownEvent[] =>
      [...(this.#knownIds.get(eventId) ?? []), ...this.#own(eventId)].filter(
        ({ streamId }) => streamId === state.id,
      );
    const verdict = judgeAppend(state, { expected, eventIds, known });
    if (verdict.kind === 'stream-deleted') return verdict;
    if (verdict.kind === 'wrong-version') return { ...verdict, current: state.lastRevision };
    if (verdict.kind === 'repeat') return { kind: 'written', ...verdict.last };
    const first = state.lastRevision + 1;
    const position = this.#add(stream, events);
    if (verdict.isUndelete) this.#setMetadata(stream, undeletedMetadata(state.metadata, first));
    return { kind: 'written', revision: this.#state(stream).lastRevision, position };
  }

  #delete({ stream, expected }: Write, state: StreamState): WriteResult {
    const verdict = judgeDelete(state, expected);
    if (verdict.kind === 'stream-deleted') return verdict;
    if (verdict.kind !== 'append') return { kind: 'wrong-version', current: state.lastRevision };
    const position = this.#setMetadata(stream, softDeletedMetadata());
    return { kind: 'written', revision: state.lastRevision, position };
  }

  #tombstone({ stream, expected }: Write, state: StreamState): WriteResult {
    const verdict = judgeTombstone(state, expected);
    if (verdict.kind === 'stream-deleted') return verdict;
    if (verdict.kind !== 'append') return { kind: 'wrong-version', current: state.lastRevision };
    const event = systemEvent('$streamDeleted', Buffer.alloc(0));
    const streamId = this.#idOf(stream);
    this.#record(stream, streamId, { event, revision: TOMBSTONE_REVISION });
    this.changed.set(stream, { ...state, id: streamId, isTombstoned: true });
    return { kind: 'written', revision: TOMBSTONE_REVISION, position: this.#position };
  }

  /** Metadata of a soft-deleted stream lifts the deletion; the events before stay hidden. */
  #add(stream: string, events: readonly ProposedEvent[]): number | null {
    const last = events.at(-1);
    if (last === undefined) return null;
    const before = isMetaStream(stream) ? this.#state(originalOf(stream)) : null;
    const position = this.#push(stream, events);
    if (before === null) return position;
    const original = originalOf(stream);
    this.#keepMetadata(original, last.data);
    if (retentionOf(before.metadata).isSoftDeleted && before.lastRevision >= 0) {
      this.#setMetadata(original, undeletedMetadata(last.data, before.lastRevision + 1));
    }
    return position;
  }

  #setMetadata(stream: string, metadata: Buffer): number {
    const position = this.#push(metaStreamOf(stream), [systemEvent('$metadata', metadata)]);
    this.#keepMetadata(stream, metadata);
    return position;
  }

  #keepMetadata(stream: string, metadata: Buffer): void {
    const id = this.#idOf(stream);
    const metadataRevision = this.#state(metaStreamOf(stream)).lastRevision;
    this.changed.set(stream, { ...this.#state(stream), id, metadataRevision, metadata });
  }

  #push(stream: string, events: readonly ProposedEvent[]): number {
    const id = this.#idOf(stream);
    const state = this.#state(stream);
    let revision = state.lastRevision;
    for (const event of events) {
      revision += 1;
      this.#record(stream, id, { event, revision });
    }
    this.changed.set(stream, { ...state, id, lastRevision: revision });
    return this.#position;
  }

  #record(
    stream: string,
    streamId: number,
    { event, revision }: Readonly<{ event: ProposedEvent; revision: number }>,
  ): void {
    this.#position += 1;
    const record: LogRecord = {
      position: this.#position,
      stream,
      revision,
      eventId: event.eventId,
      type: event.type,
      isJson: event.isJson,
      createdAtMs: this.#createdAtMs,
      data: event.data,
      metadata: event.metadata,
    };
    this.records.push({ streamId, record });
  }

  /**
   * Where this batch has put an id so far. An append at its revision never needs it, so none is
   * noted before.
   */
  #own(eventId: string): readonly (KnownEvent & { streamId: number })[] {
    for (const { streamId, record } of this.records.slice(this.#indexed)) {
      const place = { streamId, revision: record.revision, position: record.position };
      const known = this.#ownIds.get(record.eventId);
      if (known === undefined) this.#ownIds.set(record.eventId, [place]);
      else known.push(place);
    }
    this.#indexed = this.records.length;
    return this.#ownIds.get(eventId) ?? [];
  }

  #state(stream: string): StreamState {
    return this.changed.get(stream) ?? this.#committed.get(stream) ?? ABSENT;
  }

  /** Streams are numbered on their first write; number 0 is no stream. */
  #idOf(stream: string): number {
    const state = this.#state(stream);
    if (state.id !== 0) return state.id;
    const id = this.#nextStreamId;
    this.#nextStreamId += 1;
    this.changed.set(stream, { ...state, id });
    return id;
  }
}
