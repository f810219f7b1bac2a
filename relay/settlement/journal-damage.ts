import type { Logger } from '../../infra/ports/logger.ts';
import type { Metrics } from '../../infra/ports/metrics.ts';
import type { Damage } from './record-frame.ts';

export type DamageListener = (path: string, damage: Damage) => void;

/**
 * Reports where a journal is damaged, once for each place, without the content, which may contain
 * prompts.
 */
export const createDamageLog = (logger: Logger, metrics: Metrics): DamageListener => {
  const damaged = metrics.counter({
    name: 'tollgate_journal_damaged_total',
    help: 'Places in journal files that hold no readable record',
    labels: ['kind'],
  });
  const known = new Set<string>();
  return (path, { kind, at, length }) => {
    const place = `${path}@${at}`;
    if (known.has(place)) return;
    known.add(place);
    damaged.inc(1, { kind });
    logger.error({ path, at, length, kind }, 'a journal is damaged');
  };
};
