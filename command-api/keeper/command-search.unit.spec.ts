import { afterEach, describe, expect, test } from 'vitest';
import { anAccountCommand, userId } from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import type { CommandOrigin } from './accounts.ts';

const fixtures: KeeperFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.stop();
});
const open = async (): Promise<KeeperFixture> => {
  const fixture = await openKeeperFixture();
  fixtures.push(fixture);
  await fixture.fund(1_000);
  return fixture;
};

const noon = Date.parse('2026-03-01T12:00:00.000Z');
const hour = 3_600_000;
const at = (hours: number): string => new Date(noon + hours * hour).toISOString();

const grant = (occurredAt: string) =>
  anAccountCommand(
    'GrantQuota',
    { userId, amount: 50, source: 'topup', reference: 'trade-2' },
    { commandId: 'of-the-cause', occurredAt },
  );

/** More commands than an account remembers, stamped with the time of a clock that may be wrong. */
const manyCommands = async ({ keeper }: KeeperFixture, occurredAt: string): Promise<void> => {
  for (let count = 0; count < 300; count += 1) {
    const budget = { userId, tokenId: 1_000 + count, unlimited: false, remain: 5 };
    const meta = { commandId: `budget-${count}`, occurredAt };
    await keeper.execute(anAccountCommand('SetTokenBudget', budget, meta));
  }
};

/** An event that causes a command, in a separate stream; returns its place in the log. */
const cause = async ({ store }: KeeperFixture, occurredAt: string): Promise<CommandOrigin> => {
  const event = { type: 'TopUpPaid', data: {} };
  const paid = { event, eventId: 'paid', metadata: aMetadata({ occurredAt }) };
  const { position } = await store.append('topup-2', [paid], 'any');
  return { kind: 'caused', position };
};

const grants = (fixture: KeeperFixture): number =>
  fixture.events('QuotaGranted').filter(({ data }) => data.reference === 'trade-2').length;

describe('a cause that a process gets again after a restart', () => {
  test.each([
    ['two hours back', -2],
    ['right', 0],
    ['two hours ahead', 2],
  ])('leads to one grant, with the clock of the keeper %s meanwhile', async (_, hours) => {
    const fixture = await open();
    const origin = await cause(fixture, at(0));
    await fixture.keeper.execute(grant(at(0)), origin);
    await manyCommands(fixture, at(hours));
    const next = await fixture.another();
    fixtures.push(next);
    expect(await next.keeper.execute(grant(at(0)), origin)).toMatchObject({ repeated: true });
    expect(grants(fixture)).toBe(1);
  });

  test('leads to one grant where the cause was stamped two hours ahead', async () => {
    const fixture = await open();
    const origin = await cause(fixture, at(2));
    await fixture.keeper.execute(grant(at(2)), origin);
    await manyCommands(fixture, at(0));
    const next = await fixture.another();
    fixtures.push(next);
    expect(await next.keeper.execute(grant(at(2)), origin)).toMatchObject({ repeated: true });
    expect(grants(fixture)).toBe(1);
  });

  test('leads to its first grant, whatever was stamped later than it', async () => {
    const fixture = await open();
    await manyCommands(fixture, at(2));
    const origin = await cause(fixture, at(0));
    expect(await fixture.keeper.execute(grant(at(0)), origin)).toMatchObject({ repeated: false });
    expect(grants(fixture)).toBe(1);
  });
});

test('a command of unknown origin is searched for in the whole stream', async () => {
  const fixture = await open();
  await fixture.keeper.execute(grant(at(0)));
  await manyCommands(fixture, at(-2));
  expect(await fixture.keeper.execute(grant(at(0)))).toMatchObject({ repeated: true });
});

test('nothing before the cause, and nothing that memory holds, is read', async () => {
  const fixture = await open();
  await manyCommands(fixture, at(0));
  const origin = await cause(fixture, at(0));
  const { store } = fixture;
  let read = 0;
  const readStream = store.readStream.bind(store);
  store.readStream = async function* (...asked: Parameters<typeof readStream>) {
    for await (const recorded of readStream(...asked)) {
      read += 1;
      yield recorded;
    }
  } as typeof store.readStream;
  await fixture.keeper.execute(grant(at(0)), origin);
  expect(read).toBe(1);
});
