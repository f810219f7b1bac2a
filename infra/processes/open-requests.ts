import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOf, type JournalItem, journalFiles } from '../../relay/settlement/journal-file.ts';
import { headOfText } from '../../relay/settlement/record-head.ts';

export type JournalState = Readonly<{
  /** Relay instances that have a journal here: running, or not taken over yet. */
  relays: ReadonlySet<string>;
  /** Requests that were begun and whose end is in no journal. */
  started: ReadonlySet<string>;
}>;

/** A file whose records are all settled may go away meanwhile. */
const itemsIn = (directory: string, name: string): readonly JournalItem[] => {
  try {
    return itemsOf(readFileSync(join(directory, name)));
  } catch {
    return [];
  }
};

const noteRequest = (started: Set<string>, item: JournalItem): void => {
  if (item.kind !== 'record') return;
  const { kind, requestId } = headOfText(item.json);
  if (requestId === null) return;
  if (kind === 'started') started.add(requestId);
  else started.delete(requestId);
};

/** The journals of the relays of this machine. */
export const readJournals = (dataDir: string): JournalState => {
  const root = join(dataDir, 'journal');
  const relays = new Set<string>();
  const started = new Set<string>();
  if (!existsSync(root)) return { relays, started };
  for (const { name } of readdirSync(root, { withFileTypes: true }).filter((e) =>
    e.isDirectory(),
  )) {
    relays.add(name.replace(/^\./, ''));
    const directory = join(root, name);
    for (const file of journalFiles(readdirSync(directory))) {
      for (const item of itemsIn(directory, file)) noteRequest(started, item);
    }
  }
  return { relays, started };
};
