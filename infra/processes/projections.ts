/* `npm run start:projections`: the read side and the console, over real engines and NATS. */
import { readSide } from './control-parts.ts';
import { connectEngines } from './distributed.ts';
import { layFoundation } from './foundation.ts';
import { openLog } from './open-log.ts';
import { serveParts } from './serve-parts.ts';

const foundation = layFoundation('projections');
const { bus, eventStoreUrl, databaseUrl } = await connectEngines(foundation, 'projections');
const { eventStore, part: log } = openLog(foundation, eventStoreUrl());
await serveParts(foundation, {
  parts: [readSide(foundation, { eventStore, bus }, databaseUrl()), log],
  port: foundation.config.projectionsPort,
  console: true,
  close: [bus.close, eventStore.close],
});
