/* `npm run start:projections`: the read side and the console, over real engines and NATS. */
import { createEventStore } from '../event-store/create-event-store.ts';
import { watchSessionKeys } from '../vault/session-key-feed.ts';
import { readSide } from './control-parts.ts';
import { connectEngines } from './distributed.ts';
import { layFoundation } from './foundation.ts';
import { serveParts } from './serve-parts.ts';

const foundation = layFoundation('projections');
const { bus, eventStoreUrl, databaseUrl } = await connectEngines(foundation, 'projections');
const eventStore = createEventStore({ url: eventStoreUrl(), logger: foundation.logger });
const sessionKeys = watchSessionKeys(bus);
await sessionKeys.start();
const engines = { eventStore, bus, sessionVerifier: sessionKeys.verifier };
await serveParts(foundation, {
  parts: [readSide(foundation, engines, databaseUrl())],
  port: foundation.config.projectionsPort,
  console: true,
  close: [sessionKeys.stop, bus.close, eventStore.close],
});
