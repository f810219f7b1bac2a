/* `npm run start:command-api`: the write side alone, over real engines and NATS. */

import { siteSessionVerifier } from '../vault/site-session-verifier.ts';
import { connectBus, requireEngines } from './distributed.ts';
import { layFoundation } from './foundation.ts';
import { openKeys } from './open-keys.ts';
import { openLog } from './open-log.ts';
import { serveParts } from './serve-parts.ts';
import { writeSide } from './write-side.ts';

const foundation = layFoundation('command-api');
const { natsUrl, eventStoreUrl, secret } = await requireEngines(foundation, [
  'natsUrl',
  'eventStoreUrl',
]);
const { eventStore, part: log } = openLog(foundation, eventStoreUrl);
const keys = await openKeys(foundation, { eventStore, secret, kind: null });
const bus = await connectBus(foundation, natsUrl, 'command-api');
await serveParts(foundation, {
  parts: [...writeSide(foundation, { eventStore, bus, keyring: keys.keyring }), log],
  bus,
  sessionVerifier: siteSessionVerifier(() => keys.keyring),
  port: foundation.config.commandApiPort,
  console: false,
  close: [async () => keys.stop(), bus.close, eventStore.close],
});
