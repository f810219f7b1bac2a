/* `npm run dev:upstream`: a provider that needs no key, for a first try and for benchmarks. */
import { startStubProvider, stubModels } from './server.ts';

const provider = await startStubProvider({ port: Number(process.env.STUB_PORT ?? 4010) });
console.log(`Stub provider on ${provider.url}, any key, models: ${stubModels.join(', ')}`);
process.on('SIGTERM', () => void provider.close());
process.on('SIGINT', () => void provider.close());
