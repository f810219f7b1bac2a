/* `npm run start:projections`: the read side and the console, over real engines and NATS. */
import { createEventStore } from '../event-store/create-event-store.ts';
import { readSide } from './control-parts.ts';
import { connectEngines } from './distributed.ts';
import { layFoundation } from './foundation.ts';
import { serveParts } from './serve-parts.ts';

const foundation = layFoundation('projections');
const { bus, eventStoreUrl, databaseUrl } = await connectEngines(foundation, 'projections');
const eventStore = createEventStore({ url: eventStoreUrl(), logger: foundation.logger });
await serveParts(foundation, {
  parts: [readSide(foundation, { eventStore, bus }, databaseUrl())],
  bus,
  port: foundation.config.projectionsPort,
  console: true,
  close: [bus.close, eventStore.close],
});
