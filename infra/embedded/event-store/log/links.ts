import type { LogRecord } from '../types.ts';
import type { ResolvedRecord } from '../wire/read-response.ts';
import type { Log } from './log.ts';

const target = (link: LogRecord): { stream: string; revision: number } | null => {
  const [, revision, stream] = /^(\d+)@(.+)$/s.exec(link.data.toString('utf8')) ?? [];
  if (revision === undefined || stream === undefined) return null;
  return { stream, revision: Number(revision) };
};

/**
 * Replaces a `$>` event by the event it points to; a link whose target is gone is returned itself.
 */
export const resolveLink = async (log: Log, record: LogRecord): Promise<ResolvedRecord> => {
  if (record.type !== '$>') return { record, link: null };
  const to = target(record);
  if (to === null) return { record: null, link: record };
  const page = await log.readStream({
    stream: to.stream,
    from: to.revision,
    direction: 'forwards',
    limit: 1,
  });
  const found = page.kind === 'records' ? page.records[0] : undefined;
  return { record: found?.revision === to.revision ? found : null, link: record };
};
