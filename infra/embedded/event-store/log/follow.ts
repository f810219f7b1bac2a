import type { Log } from './log.ts';
import type { LogRecord } from './types.ts';

/** What a follower sees: records in order, and a mark each time it comes to the end. */
export type Step =
  | Readonly<{ kind: 'records'; records: readonly LogRecord[] }>
  | 'caught-up'
  | 'stream-deleted';

const pageSize = 512;

/**
 * Everything after `position`, then all that is still to come. Catching up and living on are the
 * same code, so that nothing is lost or doubled between them.
 */
export const followAll = async function* (
  log: Log,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let cursor = position;
  while (!signal.aborted) {
    const head = log.commits.head;
    const records = await log.readAll(cursor + 1, 'forwards', pageSize);
    const last = records.at(-1);
    if (last !== undefined) {
      cursor = last.position;
      yield { kind: 'records', records };
      continue;
    }
    yield 'caught-up';
    await log.commits.after(Math.max(head, cursor), null, signal);
  }
};

/** The same for one stream; ends with `stream-deleted` when a tombstone closes it. */
export const followStream = async function* (
  log: Log,
  start: Readonly<{ stream: string; revision: number }>,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const { stream } = start;
  let cursor = start.revision;
  /** Everything up to this place in the log has been looked at; null while catching up. */
  let seen: number | null = null;
  while (!signal.aborted) {
    const head = log.commits.head;
    const recent: readonly LogRecord[] | null = seen === null ? null : log.recentAfter(seen);
    if (recent !== null) {
      const own = recent.filter((record) => record.stream === stream && record.revision > cursor);
      seen = recent.at(-1)?.position ?? seen;
      const tombstone = own.findIndex(({ type }) => type === '$streamDeleted');
      const records = tombstone < 0 ? own : own.slice(0, tombstone);
      cursor = records.at(-1)?.revision ?? cursor;
      if (records.length > 0) yield { kind: 'records', records };
      if (tombstone >= 0) {
        yield 'stream-deleted';
        return;
      }
      if (records.length > 0 && log.commits.head > (seen ?? 0)) continue;
      yield 'caught-up';
      await log.commits.after(Math.max(head, seen ?? 0), stream, signal);
      continue;
    }
    const page = await log.readStream({
      stream,
      from: cursor + 1,
      direction: 'forwards',
      limit: pageSize,
    });
    if (page.kind === 'stream-deleted') {
      yield 'stream-deleted';
      return;
    }
    const records = page.kind === 'records' ? page.records : [];
    const last = records.at(-1);
    if (last === undefined) {
      seen = head;
      continue;
    }
    cursor = last.revision;
    yield { kind: 'records', records };
  }
};
