import { channelOfProcess } from '../../../infra/bus/ipc/channel.ts';
import { serveBus } from '../../../infra/bus/ipc/serve-bus.ts';
import { createMemoryBus } from '../../../infra/bus/memory/create-memory-bus.ts';
import { createLogger } from '../../../infra/logging/create-logger.ts';

/* A process that holds the bus, as the control process does, and talks back over it. */

const logger = createLogger({ level: 'silent', name: 'bus-host' });
const bus = createMemoryBus({ logger });
process.on('disconnect', () => process.exit(0));

await bus.serve('host.pid', async () => process.pid);
await bus.serve('host.ask-edge', (body) => bus.request('edge.answer', body));
await bus.subscribe('host.tell-edge', (body) => bus.publish('edge.hears', body));
if (process.argv[2] !== undefined) {
  const position = BigInt(process.argv[2]);
  await bus.feed('channels').put([{ key: '1', position, value: { pid: process.pid } }]);
}
serveBus(bus, channelOfProcess(process), logger);
