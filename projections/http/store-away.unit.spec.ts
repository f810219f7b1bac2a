import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import { createDatabase } from '../../infra/postgres/create-database.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { testReadSessions } from '../../tests/support/sessions.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { vaultOf } from '../../tests/support/vault.ts';
import { createProjections } from '../create-projections.ts';

test('while the database is away, the health probe and every list answer 503, not a fault', async () => {
  const bus = createMemoryBus({ logger: silentLogger });
  // Port 1 is closed.
  const database = createDatabase({ url: 'postgres://127.0.0.1:1/none', applicationName: 'test' });
  const projections = createProjections({
    ...nodeSystem,
    eventStore: createMemoryEventStore(),
    bus,
    db: database.db,
    vault: vaultOf('store-away'),
    ...testReadSessions(bus),
    clock: () => new Date(),
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
    settings: { version: '1.2.3' },
  });
  const app = Fastify();
  await projections.register(app);
  const headers = { authorization: 'a-token', 'new-api-user': '1', 'accept-language': 'en' };
  for (const url of ['/api/status/test', '/api/user/', '/api/setup']) {
    const answer = await app.inject({ url, headers });
    expect([url, answer.statusCode]).toEqual([url, 503]);
    expect(answer.json()).toMatchObject({ success: false, code: 'server.unavailable' });
  }
  await app.close();
  await database.close();
  await bus.close();
});
