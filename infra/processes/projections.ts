/* `npm run start:projections`: the read side and the console, over real engines and NATS. */

import { siteSessionVerifier } from '../vault/site-session-verifier.ts';
import { checkDatabase, connectBus, requireEngines } from './distributed.ts';
import { openKeys } from './open-keys.ts';
import { openLog } from './open-log.ts';
import { readSide } from './read-side.ts';
import { createRuntime } from './runtime.ts';
import { serveModules } from './serve-modules.ts';
import { openTelemetry } from './telemetry.ts';

const runtime = createRuntime('projections');
const { natsUrl, eventStoreUrl, databaseUrl, secret } = await requireEngines(runtime, [
  'natsUrl',
  'eventStoreUrl',
  'databaseUrl',
]);
await checkDatabase(databaseUrl);
const { eventStore, module: log } = openLog(runtime, eventStoreUrl);
const keys = await openKeys(runtime, { eventStore, secret, kind: 'projections' });
const bus = await connectBus(runtime, natsUrl, 'projections');
const telemetry = await openTelemetry(runtime, 'projections');
const parts = { eventStore, bus, keyring: keys.keyring, telemetry };
await serveModules(runtime, {
  modules: [readSide(runtime, parts, databaseUrl), log],
  bus,
  sessionVerifier: siteSessionVerifier(() => keys.keyring),
  port: runtime.config.projectionsPort,
  console: true,
  close: [async () => keys.stop(), bus.close, eventStore.close, async () => telemetry?.stop()],
});
