import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLines, requestIdOf } from '../../relay/settlement/journal-lines.ts';

export type JournalState = Readonly<{
  /** Relay instances that have a journal here: running, or not taken over yet. */
  relays: ReadonlySet<string>;
  /** Requests that were begun and whose end is in no journal. */
  started: ReadonlySet<string>;
}>;

/** A file whose records were all shipped may go away meanwhile. */
const linesOf = (path: string) => {
  try {
    return parseLines(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
};

type Line = ReturnType<typeof linesOf>[number];

const recordsOf = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.log'))
    .sort()
    .flatMap((name) => linesOf(join(directory, name)));

const noteRequest = (started: Set<string>, line: Line): void => {
  if (line.kind !== 'record') return;
  const requestId = requestIdOf(line.record);
  if (requestId === null) return;
  if (line.record.kind === 'started') started.add(requestId);
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
    for (const line of recordsOf(join(root, name))) noteRequest(started, line);
  }
  return { relays, started };
};
