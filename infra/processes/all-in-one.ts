/*
 * `npm start`: everything on one machine. This process is the edge: it listens, answers the relay's
 * paths itself, hands everything else to the control process, and keeps the others alive:
 *
 *   edge (this one) ─┬─ control: command-api, keeper, projections, console, and the log unless
 *                    │           EVENTSTORE_URL is set
 *                    └─ PostgreSQL, unless both URLs are set
 *
 * The engines start while the modules of the edge and of control are still being read.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unfinishedRestore } from '../backup/restore-backup.ts';
import { connectBus } from '../bus/ipc/connect-bus.ts';
import { superviseControl } from './control-child.ts';
import { openDataFolder } from './data-folder.ts';
import { startEngines } from './engines.ts';
import { greet } from './greeting.ts';
import { keptSecret } from './open-keys.ts';
import { refuse } from './refuse.ts';
import { createRuntime } from './runtime.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { openControlDirectory } from './socket-directory.ts';

const runtime = createRuntime('edge');
const { config, logger } = runtime;
const dataDir = openDataFolder(config.dataDir, logger);
if (existsSync(join(dataDir, unfinishedRestore))) {
  await refuse(`a restore into ${dataDir} did not end; empty that folder and restore again`);
}
const secret = await keptSecret(runtime);

const starting = startEngines(runtime, dataDir);
const busConnection = config.natsUrl === null ? connectBus({ logger }) : null;
const socketDirectory = await openControlDirectory(dataDir);
const control = superviseControl({
  runtime,
  dataDir,
  socketDirectory: socketDirectory.path,
  engines: starting,
  onConnection: (channel) => busConnection?.attach(channel),
  onRefused: () => void endRefused(),
});

/** Control reported a fault that a restart cannot fix; nothing can be served without it. */
const endRefused = async (): Promise<void> => {
  await control.stop();
  await (await starting).stop();
  process.exit(1);
};

const { openEdge } = await import('./edge.ts');
const engines = await starting;
const edge = await openEdge(runtime, { secret, busConnection, control: control.sockets });
// For tools on this machine: `npm run verify`, `npm run projections`.
writeFileSync(
  resolve(dataDir, 'run.json'),
  JSON.stringify(
    { pid: process.pid, url: edge.url, metricsUrl: edge.metricsUrl, ...engines.urls },
    null,
    2,
  ),
  { mode: 0o600 },
);

const { url, metricsUrl } = edge;
if (process.stdout.isTTY)
  void control.ready.then(() => greet({ url, metricsUrl, dataDir, config }));

shutDownOnSignal(logger, [
  { name: 'relay', run: edge.close },
  { name: 'control', run: control.stop },
  { name: 'sockets', run: socketDirectory.remove },
  { name: 'bus', run: edge.closeBus },
  { name: 'engines', run: engines.stop },
]);
