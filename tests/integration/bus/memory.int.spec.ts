import { createMemoryBus } from '../../../infra/bus/memory/create-memory-bus.ts';
import { createLogger } from '../../../infra/logging/create-logger.ts';
import { describeBus } from './bus-contract.ts';

describeBus('the bus in the memory of one process', async () => {
  const bus = createMemoryBus({ logger: createLogger({ level: 'silent', name: 'bus' }) });
  return { connect: async () => bus, close: () => bus.close() };
});
