/* `npm run start:command-api`: the write side alone, over real engines and NATS. */

import { siteSessionVerifier } from '../vault/site-session-verifier.ts';
import { connectBus, requireEngines } from './distributed.ts';
import { openKeys } from './open-keys.ts';
import { openLog } from './open-log.ts';
import { createRuntime } from './runtime.ts';
import { serveModules } from './serve-modules.ts';
import { openTelemetry } from './telemetry.ts';
import { writeSide } from './write-side.ts';

const runtime = createRuntime('command-api');
const { natsUrl, eventStoreUrl, secret } = await requireEngines(runtime, [
  'natsUrl',
  'eventStoreUrl',
]);
const { eventStore, module: log } = openLog(runtime, eventStoreUrl);
const keys = await openKeys(runtime, { eventStore, secret, kind: null });
const bus = await connectBus(runtime, natsUrl, 'command-api');
const telemetry = await openTelemetry(runtime, 'command-api');
const parts = { eventStore, bus, keyring: keys.keyring, telemetry };
await serveModules(runtime, {
  modules: [...writeSide(runtime, parts), log],
  bus,
  sessionVerifier: siteSessionVerifier(() => keys.keyring),
  port: runtime.config.commandApiPort,
  console: false,
  close: [async () => keys.stop(), bus.close, eventStore.close, async () => telemetry?.stop()],
});
