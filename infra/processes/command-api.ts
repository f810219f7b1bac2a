/* `npm run start:command-api`: the write side alone, over real engines and NATS. */
import { writeSide } from './control-parts.ts';
import { connectEngines } from './distributed.ts';
import { layFoundation } from './foundation.ts';
import { openLog } from './open-log.ts';
import { serveParts } from './serve-parts.ts';

const foundation = layFoundation('command-api');
const { bus, eventStoreUrl } = await connectEngines(foundation, 'command-api');
const { eventStore, part: log } = openLog(foundation, eventStoreUrl());
await serveParts(foundation, {
  parts: [...writeSide(foundation, { eventStore, bus }), log],
  port: foundation.config.commandApiPort,
  console: false,
  close: [bus.close, eventStore.close],
});
