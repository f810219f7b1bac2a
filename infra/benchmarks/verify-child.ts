/* One run of verify in a separate process, for `verify-bench.ts`. */
import { createReadModels } from '../../projections/create-read-models.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import { createDatabase } from '../postgres/create-database.ts';
import { openLog } from '../processes/open-log.ts';
import { verify } from '../verify/verify.ts';
import { profiled } from './profile/profiler.ts';

export type VerifyFigures = Readonly<{
  events: number;
  rows: number;
  breaks: number;
  cpuSeconds: number;
  wallSeconds: number;
  /** At its peak. */
  megabytes: number;
}>;

const [eventStoreUrl = '', databaseUrl = ''] = process.argv.slice(2);
const metrics = createMetrics({ process: 'bench' });
const { eventStore } = openLog({ logger: silentLogger, metrics }, eventStoreUrl);
const database = createDatabase({ url: databaseUrl, applicationName: 'bench' });
const before = process.cpuUsage();
const begun = performance.now();
const report = await profiled('verify', process.pid, () =>
  verify({
    eventStore,
    readModels: createReadModels(database.db),
    clock: () => new Date(),
    aliveRelays: new Set(['bench']),
  }),
);
const { user, system } = process.cpuUsage(before);
for (const found of report.breaks.slice(0, 5)) console.error(found);
const figures: VerifyFigures = {
  events: report.events,
  rows: report.rows,
  breaks: report.breaks.length,
  cpuSeconds: (user + system) / 1_000_000,
  wallSeconds: (performance.now() - begun) / 1_000,
  megabytes: process.resourceUsage().maxRSS / 1_024,
};
await eventStore.close();
await database.close();
process.send?.(figures);
process.disconnect?.();
