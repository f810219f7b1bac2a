import pMap from 'p-map';
import type { Recorded } from '../../domain/shared/event.ts';
import { personalKeyStreamId } from '../../domain/user/stream.ts';
import type { EventStore } from '../ports/event-store.ts';
import { type Check, timeOf } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

type Person = { eventId: string; streamId: string; goneAtMs: number | null };

/** The process that destroys the key of a deleted person has this long. */
const graceMs = 60_000;
/** Streams that are read at one time. */
const abreast = 32;

/**
 * The data of a person can be read until the account is deleted, and not afterwards: the personal key
 * of each is there, or is gone. The deletion of a stream is no event, so each key costs one small read.
 */
export class PersonCheck implements Check<'people'> {
  readonly #findings: Findings;
  readonly #people = new Map<number, Person>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded<ConcernedEvent<'people'>>): void {
    const { event, eventId, streamId } = recorded;
    const { userId } = event.data;
    switch (event.type) {
      case 'UserRegistered':
        this.#people.set(userId, { eventId, streamId, goneAtMs: null });
        return;
      case 'UserDeleted': {
        const person = this.#people.get(userId);
        if (person === undefined) return;
        person.goneAtMs = timeOf(recorded);
        person.eventId = eventId;
        return;
      }
    }
  }

  async end(eventStore: EventStore, now: number): Promise<void> {
    await pMap(this.#people, (person) => this.#checkKey(eventStore, person, now), {
      concurrency: abreast,
    });
  }

  async #checkKey(
    eventStore: EventStore,
    [userId, { eventId, streamId, goneAtMs }]: readonly [number, Person],
    now: number,
  ): Promise<void> {
    if (goneAtMs !== null && now - goneAtMs < graceMs) return;
    let isThere = false;
    const newest = { maxCount: 1, backwards: true };
    for await (const _ of eventStore.readStream(personalKeyStreamId(userId), newest)) {
      isThere = true;
    }
    if (isThere === (goneAtMs === null)) return;
    this.#findings.ofEarlier(isThere ? 'personal-key-left' : 'personal-key-missing', {
      eventId,
      streamId,
      detail: isThere
        ? `user ${userId} is deleted, and their personal key exists`
        : `user ${userId} is not deleted, and their personal key is missing`,
    });
  }
}
