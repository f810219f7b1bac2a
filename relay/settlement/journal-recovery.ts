import { join } from 'node:path';
import type { LeaseIdle, RequestLost, RequestStarted } from '../../domain/account/messages.ts';
import type { LeaseId, UserId } from '../../domain/shared/ids.ts';
import type { Files } from '../../infra/ports/files.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { JournalEntry } from './journal.ts';
import { entryOf, type JournalLine, parseLines } from './journal-lines.ts';
import type { DeadInstance } from './journal-owner.ts';
import { partitionOf } from './journal-partition.ts';

/** What an earlier instance left: records that it did not ship and requests that it did not end. */
export interface RecoveredInstance {
  readonly relayId: string;
  /** File by file, so that a long backlog does not fill the memory. */
  entries(): Iterable<readonly JournalEntry[]>;
  /** Everything was shipped. */
  drop(): Promise<void>;
}

type Survey = {
  /** Partition → highest sequence that was shipped. */
  readonly shipped: Map<number, number>;
  readonly open: Map<string, RequestStarted>;
  readonly leases: Map<LeaseId, UserId>;
  lastSequence: number;
};

const surveyLine = (survey: Survey, line: JournalLine): void => {
  if (line.kind === 'mark') {
    for (const [partition, sequence] of line.mark.shipped) {
      survey.shipped.set(partition, Math.max(sequence, survey.shipped.get(partition) ?? 0));
    }
    return;
  }
  const { record } = line;
  survey.lastSequence = Math.max(survey.lastSequence, record.sequence);
  if (record.kind === 'started') survey.open.set(record.requestId, record);
  if (record.kind === 'used' || record.kind === 'failed') survey.open.delete(record.call.requestId);
  if ((record.kind === 'started' || record.kind === 'used') && record.leaseId !== null) {
    survey.leases.set(record.leaseId, record.userId);
  }
  if (record.kind === 'lease-idle') survey.leases.delete(record.leaseId);
};

/** Requests without an end, then the leases that the ended instance held. */
const closingEntries = (
  { open, leases, lastSequence }: Survey,
  relayId: string,
): JournalEntry[] => {
  let sequence = lastSequence;
  const lost = [...open.values()].map((started) => {
    sequence += 1;
    const record: RequestLost = { ...started, kind: 'lost', sequence };
    return entryOf(record, JSON.stringify(record));
  });
  const idle = [...leases].map(([leaseId, userId]) => {
    sequence += 1;
    const unspent = Number.MAX_SAFE_INTEGER;
    const record: LeaseIdle = { kind: 'lease-idle', relayId, userId, sequence, leaseId, unspent };
    return entryOf(record, JSON.stringify(record));
  });
  return [...lost, ...idle];
};

const isUnshipped = ({ kind, userId, sequence }: JournalEntry, { shipped }: Survey): boolean =>
  kind !== 'started' && sequence > (shipped.get(partitionOf(userId)) ?? 0);

export const readInstance = (
  { relayId, directory }: DeadInstance,
  { files, logger }: Readonly<{ files: Files; logger: Logger }>,
): RecoveredInstance => {
  const names = files
    .list(directory)
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.log'))
    .sort();
  const linesOf = (name: string): JournalLine[] =>
    parseLines(Buffer.from(files.read(join(directory, name))).toString('utf8'));

  return {
    relayId,
    *entries() {
      const survey: Survey = {
        shipped: new Map(),
        open: new Map(),
        leases: new Map(),
        lastSequence: 0,
      };
      for (const name of names) for (const line of linesOf(name)) surveyLine(survey, line);
      for (const name of names) {
        yield linesOf(name)
          .flatMap((line) => (line.kind === 'record' ? [entryOf(line.record, line.line)] : []))
          .filter((entry) => isUnshipped(entry, survey));
      }
      yield closingEntries(survey, relayId);
      logger.info(
        { instance: relayId, lost: survey.open.size },
        'the journal of an earlier instance is read',
      );
    },
    drop: () => files.removeTree(directory),
  };
};
