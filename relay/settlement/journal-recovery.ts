import { join } from 'node:path';
import type {
  ProducerEnded,
  RequestLost,
  RequestStarted,
  UsageRecord,
} from '../../domain/account/messages.ts';
import type { ProducerId, UserId } from '../../domain/shared/ids.ts';
import type { Files } from '../../infra/ports/files.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { JournalEntry } from './journal.ts';
import type { DamageListener } from './journal-damage.ts';
import {
  entryOf,
  itemsOf,
  type JournalItem,
  journalFiles,
  missingSegment,
  segmentAfter,
  wantedEntries,
} from './journal-file.ts';
import type { DeadInstance } from './journal-owner.ts';
import { partitionOf } from './journal-partition.ts';
import { headOf, headOfText, type RecordHead } from './record-head.ts';
import { asciiJson } from './record-text.ts';

/** What an earlier instance left: records that are not settled and requests that it did not end. */
export interface RecoveredInstance {
  readonly relayId: string;
  /** File by file, so that a long backlog does not fill the memory. */
  entries(): Iterable<readonly JournalEntry[]>;
  /** The entries with these sequences, which rise. */
  readAgain(sequences: readonly number[]): Promise<readonly JournalEntry[]>;
  /** Everything was settled. */
  drop(): Promise<void>;
}

type EndedProducer = {
  readonly userId: UserId;
  readonly producerId: ProducerId;
  last: number;
  hasEnded: boolean;
};

type Survey = {
  /** Partition → up to where all is settled. */
  readonly settled: Map<number, number>;
  readonly open: Map<string, RequestStarted>;
  readonly producers: Map<string, EndedProducer>;
  lastSequence: number;
  isDamaged: boolean;
};

const noteProducer = ({ producers }: Survey, userId: UserId, producerId: ProducerId) => {
  const key = `${userId}.${producerId}`;
  const known = producers.get(key) ?? { userId, producerId, last: 0, hasEnded: false };
  producers.set(key, known);
  return known;
};

const noteNumbers = (survey: Survey, record: UsageRecord): void => {
  if (record.kind === 'used' || record.kind === 'lease-idle') {
    if (record.usageNumber === undefined) return;
    const { producerId, number } = record.usageNumber;
    const producer = noteProducer(survey, record.userId, producerId);
    producer.last = Math.max(producer.last, number);
  } else if (record.kind === 'producer-ended') {
    const producer = noteProducer(survey, record.userId, record.producerId);
    producer.hasEnded = producer.last <= record.last;
    producer.last = Math.max(producer.last, record.last);
  } else if (record.kind === 'started' && record.producerId !== undefined) {
    noteProducer(survey, record.userId, record.producerId).hasEnded = false;
  }
};

const surveyItem = (survey: Survey, item: JournalItem): void => {
  // The end of a file that was torn off was never answered for.
  if (item.kind === 'damage' && item.damage.kind === 'damaged') survey.isDamaged = true;
  if (item.kind === 'mark') {
    for (const [partition, sequence] of item.upTo) {
      survey.settled.set(partition, Math.max(sequence, survey.settled.get(partition) ?? 0));
    }
  }
  if (item.kind !== 'record') return;
  const record = JSON.parse(item.json) as UsageRecord;
  survey.lastSequence = Math.max(survey.lastSequence, record.sequence);
  if (record.kind === 'started') survey.open.set(record.requestId, record);
  if (record.kind === 'used' || record.kind === 'failed') survey.open.delete(record.call.requestId);
  noteNumbers(survey, record);
};

const closing = (record: UsageRecord): JournalEntry =>
  entryOf(headOf(record), asciiJson(JSON.stringify(record)));

/** Requests without an end, then the ends of the producers. */
const closingEntries = (survey: Survey, relayId: string): JournalEntry[] => {
  let sequence = survey.lastSequence;
  const next = (): number => {
    sequence += 1;
    return sequence;
  };
  const lost = [...survey.open.values()].map((started) => {
    const record: RequestLost = { ...started, kind: 'lost', sequence: next() };
    return closing(record);
  });
  const ended = [...survey.producers.values()]
    .filter(({ hasEnded }) => !hasEnded)
    .map(({ userId, producerId, last }) => {
      const kind = 'producer-ended';
      const ended = { relayId, sequence: next(), kind, userId, producerId, last } as const;
      const record: ProducerEnded = survey.isDamaged ? { ...ended, damaged: true } : ended;
      return closing(record);
    });
  return [...lost, ...ended];
};

const isUnsettled = ({ kind, userId, sequence }: RecordHead, { settled }: Survey): boolean =>
  kind !== 'started' && sequence > (settled.get(partitionOf(userId)) ?? 0);

type ReadSettings = Readonly<{ files: Files; logger: Logger; onDamage: DamageListener }>;

/** The sequences of one file. */
type Span = { first: number; last: number };

const newSurvey = (): Survey => ({
  settled: new Map(),
  open: new Map(),
  producers: new Map(),
  lastSequence: 0,
  isDamaged: false,
});

const spanOf = (items: readonly JournalItem[]): Span => {
  const span = { first: Number.MAX_SAFE_INTEGER, last: 0 };
  for (const item of items) {
    if (item.kind !== 'record') continue;
    const { sequence } = headOfText(item.json);
    span.first = Math.min(span.first, sequence);
    span.last = Math.max(span.last, sequence);
  }
  return span;
};

class EndedInstance implements RecoveredInstance {
  readonly relayId: string;
  readonly #directory: string;
  readonly #settings: ReadSettings;
  readonly #names: readonly string[];
  readonly #missing: string | null;
  readonly #spans = new Map<string, Span>();
  #closing: readonly JournalEntry[] = [];

  constructor({ relayId, directory }: DeadInstance, settings: ReadSettings) {
    this.relayId = relayId;
    this.#directory = directory;
    this.#settings = settings;
    const all = settings.files.list(directory).map(({ name }) => name);
    this.#names = journalFiles(all);
    this.#missing = missingSegment(all);
    for (const name of this.#names) this.#sync(join(directory, name));
  }

  *entries() {
    const survey = newSurvey();
    if (this.#missing !== null) this.#noteMissing(survey, this.#missing);
    for (const name of this.#names) {
      const items = this.#itemsOf(name, this.#settings.files.read(join(this.#directory, name)));
      this.#spans.set(name, spanOf(items));
      for (const item of items) surveyItem(survey, item);
      this.#noteWithoutNext(survey, name, items);
    }
    this.#closing = closingEntries(survey, this.relayId);
    for (const name of this.#names) {
      const items = this.#itemsOf(name, this.#settings.files.read(join(this.#directory, name)));
      yield wantedEntries(items, (head) => isUnsettled(head, survey));
    }
    yield this.#closing;
    const detail = { instance: this.relayId, lost: survey.open.size };
    this.#settings.logger.info(detail, 'the journal of an earlier instance is read');
  }

  async readAgain(sequences: readonly number[]): Promise<readonly JournalEntry[]> {
    const wanted = new Set(sequences);
    const first = sequences[0] ?? 0;
    const last = sequences.at(-1) ?? 0;
    const found: JournalEntry[] = [];
    for (const [name, span] of this.#spans) {
      if (span.last < first || span.first > last) continue;
      const path = join(this.#directory, name);
      const items = this.#itemsOf(name, await this.#settings.files.readLater(path));
      const isWanted = ({ kind, sequence }: RecordHead): boolean =>
        kind !== 'started' && wanted.has(sequence);
      found.push(...wantedEntries(items, isWanted));
    }
    return [...found, ...this.#closing.filter(({ sequence }) => wanted.has(sequence))];
  }

  drop(): Promise<void> {
    return this.#settings.files.removeTree(this.#directory);
  }

  /** The process may have ended before its last records were synced; they must survive a loss of power too. */
  #sync(path: string): void {
    const { files, logger } = this.#settings;
    try {
      const descriptor = files.open(path, 'read');
      try {
        files.syncNow(descriptor);
      } finally {
        files.close(descriptor);
      }
    } catch (error) {
      logger.warn(
        { path, error: String(error) },
        'the journal of an earlier instance is not synced',
      );
    }
  }

  #noteWithoutNext(survey: Survey, name: string, items: readonly JournalItem[]): void {
    const next = segmentAfter(name);
    if (!items.some(({ kind }) => kind === 'continued') || this.#names.includes(next)) return;
    this.#noteMissing(survey, next);
  }

  #noteMissing(survey: Survey, name: string): void {
    survey.isDamaged = true;
    this.#settings.onDamage(join(this.#directory, name), { kind: 'missing', at: 0, length: 0 });
  }

  #itemsOf(name: string, bytes: Uint8Array): JournalItem[] {
    const items = itemsOf(Buffer.from(bytes));
    for (const item of items) {
      if (item.kind === 'damage') this.#settings.onDamage(join(this.#directory, name), item.damage);
    }
    return items;
  }
}

export const readInstance = (instance: DeadInstance, settings: ReadSettings): RecoveredInstance =>
  new EndedInstance(instance, settings);
