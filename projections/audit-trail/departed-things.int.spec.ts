import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../domain/shared/event.ts';
import { aQuotaAdjusted } from '../../tests/support/account-events.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { aTokenCreated, aTokenEvent } from '../../tests/support/token-examples.ts';
import { aUserDeleted, aUserRegistered } from '../../tests/support/user-examples.ts';

const before: readonly (readonly [string, Event])[] = [
  ['user-42', aUserRegistered()],
  ['token-7', aTokenCreated()],
  ['user-42', aUserDeleted()],
];
const after: readonly (readonly [string, Event])[] = [
  ['token-7', aTokenEvent('TokenDisabled')],
  ['account-42', aQuotaAdjusted()],
];

let postgres: TestPostgres;
let side: ReadSide;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterEach(() => side.stop());
afterAll(() => postgres.stop());

const appended = async (events: typeof before): Promise<void> => {
  for (const [stream, event] of events) await side.append(stream, event);
};

test.each([
  ['in one batch with the deletion', false],
  ['in a later batch', true],
])(
  'what happens to the things of a person who has left keeps nothing of them, %s',
  async (_, isLater) => {
    side = await startReadSide(postgres);
    await appended(before);
    if (isLater) await side.settle();
    await appended(after);
    await side.settle();
    const things = await side.rows(
      'SELECT thing, fields, name, sealed FROM audit_trail.things WHERE owner_id = 42 ORDER BY thing',
    );
    expect(things).toEqual(
      ['account/42', 'token/7', 'user/42'].map((thing) => ({
        thing,
        fields: '{}',
        name: '',
        sealed: '',
      })),
    );
  },
);
