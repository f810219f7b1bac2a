/* `npm run start:projections`: the read side and the console, over real engines and NATS. */

import { siteSessionVerifier } from '../vault/site-session-verifier.ts';
import { checkDatabase, connectBus, requireEngines } from './distributed.ts';
import { layFoundation } from './foundation.ts';
import { openKeys } from './open-keys.ts';
import { openLog } from './open-log.ts';
import { readSide } from './read-side.ts';
import { serveParts } from './serve-parts.ts';

const foundation = layFoundation('projections');
const { natsUrl, eventStoreUrl, databaseUrl, secret } = await requireEngines(foundation, [
  'natsUrl',
  'eventStoreUrl',
  'databaseUrl',
]);
await checkDatabase(databaseUrl);
const { eventStore, part: log } = openLog(foundation, eventStoreUrl);
const keys = await openKeys(foundation, { eventStore, secret, kind: 'projections' });
const bus = await connectBus(foundation, natsUrl, 'projections');
await serveParts(foundation, {
  parts: [readSide(foundation, { eventStore, bus, keyring: keys.keyring }, databaseUrl), log],
  bus,
  sessionVerifier: siteSessionVerifier(() => keys.keyring),
  port: foundation.config.projectionsPort,
  console: true,
  close: [async () => keys.stop(), bus.close, eventStore.close],
});
