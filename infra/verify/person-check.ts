import pMap from 'p-map';
import type { Recorded } from '../../domain/shared/event.ts';
import type { UserDeleted, UserRegistered } from '../../domain/user/events.ts';
import { personalKeyStreamId } from '../../domain/user/stream.ts';
import type { EventStore } from '../ports/event-store.ts';
import { type Check, timeOf } from './check.ts';
import type { Findings } from './findings.ts';

type Person = { eventId: string; streamId: string; goneAtMs: number | null };

/** The process that destroys the key of somebody who left has this long. */
const graceMs = 60_000;
/** Streams that are asked for at one time. */
const abreast = 32;

const isRegistered = (recorded: Recorded): recorded is Recorded<UserRegistered> =>
  recorded.event.type === 'UserRegistered';
const isDeleted = (recorded: Recorded): recorded is Recorded<UserDeleted> =>
  recorded.event.type === 'UserDeleted';

/**
 * Whoever lives can be read and whoever left cannot: the personal key of each. A deletion of a
 * stream is no event, so each key is asked for, one small read for each person.
 */
export class PersonCheck implements Check {
  readonly #findings: Findings;
  readonly #people = new Map<number, Person>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded): void {
    const { eventId, streamId } = recorded;
    if (isRegistered(recorded)) {
      this.#people.set(recorded.event.data.userId, { eventId, streamId, goneAtMs: null });
    }
    if (!isDeleted(recorded)) return;
    const person = this.#people.get(recorded.event.data.userId);
    if (person === undefined) return;
    person.goneAtMs = timeOf(recorded);
    person.eventId = eventId;
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
        ? `user ${userId} left, and the key of their data is still there`
        : `user ${userId} lives, and the key of their data is gone`,
    });
  }
}
