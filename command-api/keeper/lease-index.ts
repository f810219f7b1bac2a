import {
  type LeasedAccountsNoted,
  leasedAccountsStreamId,
} from '../../domain/account/leased-accounts.ts';
import { accountPartitions } from '../../domain/account/messages.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore, UnreadableEvent } from '../../infra/ports/event-store.ts';
import { isWrongExpectedRevision } from '../shared/errors.ts';
import { causedMetadata } from '../shared/metadata.ts';
import { uuidFrom } from '../shared/uuid.ts';

type Settings = Readonly<{
  eventStore: EventStore;
  clock: Clock;
  /** Does this account hold a lease, or may it? */
  mayHoldLease: (userId: UserId) => boolean;
}>;

type Page = {
  readonly partition: number;
  /** User → when it was noted, milliseconds. */
  readonly noted: Map<UserId, number>;
  revision: bigint | null;
  wanted: Set<UserId>;
  writing: Promise<void> | null;
};

/** A note is good for this long; after it the next lease writes a new one. */
const noteTtlMs = 3_600_000;
const maxAttempts = 12;

/**
 * Which accounts may hold leases, written before the lease is, so that after a crash every lease is
 * found and expires, even of accounts without further traffic. Notes are renewed every hour of
 * use and dropped after two, so a keeper that trusts an old note cannot be overtaken by a clean-up.
 */
export class LeaseIndex {
  readonly #settings: Settings;
  readonly #pages = new Map<number, Page>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Reads the notes of these partitions; the accounts in them may hold leases. */
  async load(partitions: readonly number[]): Promise<UserId[]> {
    await Promise.all(partitions.map((partition) => this.#read(this.#page(partition))));
    return partitions.flatMap((partition) => [...this.#page(partition).noted.keys()]);
  }

  /** null: noted already. */
  note(userId: UserId): Promise<void> | null {
    const page = this.#page(userId % accountPartitions);
    const notedAt = page.noted.get(userId);
    const now = this.#settings.clock().getTime();
    if (notedAt !== undefined && now - notedAt < noteTtlMs) return null;
    page.wanted.add(userId);
    // A write under way does not hold this account: the next one will.
    if (page.writing === null) return this.#start(page);
    return page.writing.catch(() => undefined).then(() => this.note(userId) ?? undefined);
  }

  #start(page: Page): Promise<void> {
    const writing = this.#write(page).finally(() => {
      page.writing = null;
    });
    page.writing = writing;
    return writing;
  }

  #page(partition: number): Page {
    const known = this.#pages.get(partition);
    if (known !== undefined) return known;
    const page: Page = {
      partition,
      noted: new Map(),
      revision: null,
      wanted: new Set(),
      writing: null,
    };
    this.#pages.set(partition, page);
    return page;
  }

  async #read(page: Page): Promise<void> {
    let head: bigint | null = null;
    const onUnreadable = ({ revision }: UnreadableEvent): void => {
      head ??= revision;
    };
    const newest = { maxCount: 1, backwards: true, onUnreadable };
    const streamId = leasedAccountsStreamId(page.partition);
    const events = this.#settings.eventStore.readStream<LeasedAccountsNoted>(streamId, newest);
    page.revision = null;
    for await (const { event, revision } of events) {
      page.revision = revision;
      page.noted.clear();
      for (const [userId, notedAt] of event.data.accounts) page.noted.set(userId, notedAt);
    }
    page.revision = head ?? page.revision;
  }

  async #write(page: Page): Promise<void> {
    const wanted = page.wanted;
    page.wanted = new Set();
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (page.revision === null) await this.#read(page);
      try {
        await this.#append(page, wanted);
        return;
      } catch (error) {
        page.revision = null;
        if (!isWrongExpectedRevision(error)) throw error;
      }
    }
    throw new Error(`leased accounts of partition ${page.partition} could not be noted`);
  }

  async #append(page: Page, wanted: ReadonlySet<UserId>): Promise<void> {
    const { eventStore, clock, mayHoldLease } = this.#settings;
    const now = clock();
    const next = new Map<UserId, number>();
    for (const [userId, notedAt] of page.noted) {
      const isOver = now.getTime() - notedAt > 2 * noteTtlMs && !mayHoldLease(userId);
      if (!isOver) next.set(userId, notedAt);
    }
    for (const userId of wanted) next.set(userId, now.getTime());
    const streamId = leasedAccountsStreamId(page.partition);
    const accounts = [...next].map(([userId, at]) => [userId, at] as const);
    // Another keeper may note the same accounts in the same millisecond, though not at this revision.
    const place = `${page.revision ?? 'first'}/${now.getTime()}`;
    const commandId = `${streamId}@${place}/${[...wanted].join(',')}`;
    const event: LeasedAccountsNoted = {
      type: 'LeasedAccountsNoted',
      data: { partition: page.partition, accounts },
    };
    const metadata = causedMetadata({ kind: 'system', id: 'keeper' }, commandId, now.toISOString());
    const toAppend = { event, eventId: uuidFrom(commandId), metadata };
    const isFirst = page.revision === null;
    const { revision } = await eventStore.append(
      streamId,
      [toAppend],
      page.revision ?? 'no-stream',
    );
    page.revision = revision;
    page.noted.clear();
    for (const [userId, notedAt] of next) page.noted.set(userId, notedAt);
    if (isFirst) await eventStore.boundStream(streamId, { maxCount: 1 });
  }
}
