/* `npm run start:command-api`: the write side alone, over real engines and NATS. */
import { createEventStore } from '../event-store/create-event-store.ts';
import { writeSide } from './control-parts.ts';
import { connectEngines } from './distributed.ts';
import { layFoundation } from './foundation.ts';
import { serveParts } from './serve-parts.ts';

const foundation = layFoundation('command-api');
const { bus, eventStoreUrl } = await connectEngines(foundation, 'command-api');
const eventStore = createEventStore({ url: eventStoreUrl(), logger: foundation.logger });
await serveParts(foundation, {
  parts: writeSide(foundation, { eventStore, bus }),
  bus,
  port: foundation.config.commandApiPort,
  console: false,
  close: [bus.close, eventStore.close],
});
