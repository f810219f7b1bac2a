import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNatsBus } from '../../../infra/bus/nats/create-nats-bus.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import { type Line, openLine } from '../../support/cluster/line.ts';
import { findNatsServer, type NatsServer } from '../../support/nats-server.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/* The wall clock of a machine jumps while its line to NATS breaks. */

const available = await findNatsServer();
const { start } = available;
const hourMs = 3_600_000;
const patience = { timeout: 20_000, interval: 50 };

if (start === null) {
  test.skip(`NATS and wrong clocks (left out: ${available.reason})`, () => undefined);
} else {
  let server: NatsServer;
  let line: Line;
  let bus: Bus;

  beforeEach(async () => {
    server = await start();
    const { hostname, port } = new URL(server.url);
    line = await openLine({ host: hostname, port: Number(port) });
    bus = await createNatsBus({
      url: `nats://127.0.0.1:${line.port}`,
      logger: silentLogger,
      name: 'spec',
      namespace: `spec-${randomUUID().slice(0, 8)}`,
      provides: { queues: ['usage'] },
    });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await bus.close();
    await line.close();
    await server.stop();
  });

  const breakLine = async (): Promise<void> => {
    line.cut();
    await vi.waitFor(
      () => expect(bus.queue<number>('usage').publish(1, [0])).rejects.toThrow(),
      patience,
    );
    line.heal();
  };
  const isBack = () => vi.waitFor(() => bus.queue<number>('usage').publish(1, [1]), patience);
  const shiftClock = (ms: number): void => {
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  };

  test.each([
    ['ahead', 5 * hourMs],
    ['behind', -5 * hourMs],
  ])('a line that breaks after the clock was corrected is restored: it was %s', async (_, ms) => {
    shiftClock(ms);
    await breakLine();
    await isBack();
    vi.restoreAllMocks();
    await breakLine();
    await isBack();
  });
}
