import { expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import type { ProjectionStatus } from '../runtime/status.ts';
import { createActiveProjections, serveActive } from './active.ts';
import { createLagHistory } from './lag-history.ts';

const aStatus = (state: ProjectionStatus['state'], position: bigint | null): ProjectionStatus => ({
  name: 'ledger',
  state,
  position,
  head: position,
  lagSeconds: 0,
  eventsPerSecond: 0,
  rebuildProgress: null,
  error: '',
});

/** Two processes over one bus; pauses between attempts take no time. */
const twoProcesses = () => {
  const bus = createMemoryBus({ logger: silentLogger });
  const timers = {
    ...nodeSystem.timers,
    setTimeout: (task: () => void) => nodeSystem.timers.setTimeout(task, 0),
  };
  const rebuilt: string[] = [];
  const processOf = (state: ProjectionStatus['state'], position: bigint | null) => {
    const runner = {
      status: () => [aStatus(state, position)],
      isActive: () => position !== null,
      rebuild: async (name: string) => void rebuilt.push(name),
    };
    const lags = createLagHistory({ clock: () => new Date('2026-03-01T08:00:00.000Z') });
    lags.observe(position === null ? [] : runner.status());
    const deps = { bus, runner, logger: silentLogger, timers, lags };
    return { serve: () => serveActive(deps), ask: createActiveProjections(deps) };
  };
  return { active: processOf('live', 42n), standby: processOf('standby', null), rebuilt };
};

test('a process in standby answers with the rows of the active one', async () => {
  const { active, standby } = twoProcesses();
  await active.serve();
  expect(await standby.ask.rows()).toEqual(await active.ask.rows());
  expect((await standby.ask.rows())[0]).toMatchObject({ state: 'live', position: '42' });
});

test('a process in standby answers with the lags of the active one', async () => {
  const { active, standby } = twoProcesses();
  await active.serve();
  expect(await active.ask.lag()).toMatchObject([{ projection_seconds: 0 }]);
  expect(await standby.ask.lag()).toEqual(await active.ask.lag());
});

test('a rebuild begins at the active one, whichever process receives the call', async () => {
  const { active, standby, rebuilt } = twoProcesses();
  await active.serve();
  expect(await standby.ask.rebuild('ledger')).toBe('begun');
  expect(await active.ask.rebuild('ledger')).toBe('begun');
  expect(await standby.ask.rebuild('no-such')).toBe('unknown');
  expect(rebuilt).toEqual(['ledger', 'ledger']);
});

test('where no process is active, one answers for itself and begins nothing', async () => {
  const { active, standby, rebuilt } = twoProcesses();
  const stop = await active.serve();
  await stop();
  expect((await standby.ask.rows())[0]).toMatchObject({ state: 'standby', position: '' });
  expect(await standby.ask.rebuild('ledger')).toBe('busy');
  expect(rebuilt).toEqual([]);
});
