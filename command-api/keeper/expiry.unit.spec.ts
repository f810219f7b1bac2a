import { expect, test } from 'vitest';
import type { AccountCommand } from '../../domain/account/commands.ts';
import { createAccountState } from '../../domain/account/state.ts';
import { relayId, userId } from '../../tests/support/account-examples.ts';
import type { CommandBatch } from './command-batch.ts';
import { expiryWork } from './leasing.ts';

const at = '2026-03-01T08:00:00.000Z';
const lease = { relayId, tokenId: 7, amount: 500, spent: 0, ask: 1, firstAsk: 1, lastGrant: 500 };

test('a relay whose heartbeat arrives while its expiry waits for the log keeps its leases', () => {
  const submitted: AccountCommand[] = [];
  const state = { ...createAccountState(), leases: new Map([['lease-2', lease]]) };
  const batch = {
    state,
    submit: (command: AccountCommand) => submitted.push(command),
  } as unknown as CommandBatch;
  let isSilent = true;
  const work = expiryWork({ userId, relayId, isSilent: () => isSilent }, at);
  isSilent = false;
  expect(work.run(batch)).toBe(0);
  expect(submitted).toEqual([]);
  isSilent = true;
  expect(work.run(batch)).toBe(1);
  expect(submitted).toMatchObject([{ type: 'ExpireLease', data: { userId, leaseId: 'lease-2' } }]);
});
