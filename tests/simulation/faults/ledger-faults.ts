import type { Fault } from './fault.ts';

/** Prices, decisions of the account, and the keeper that carries them out. */
export const ledgerFaults: readonly Fault[] = [
  {
    name: 'rounds-down',
    what: 'a charge is rounded down',
    shows: ['wrong-amount'],
    patches: [
      {
        file: 'domain/pricing/price.ts',
        find: '(rest * 2 >= small.denominator ? 1 : 0)',
        replace: '0',
      },
    ],
  },
  {
    name: 'reads-cached-as-plain',
    what: 'cached tokens are charged like others',
    shows: ['wrong-amount'],
    patches: [
      {
        file: 'domain/pricing/price.ts',
        find: 'usage.cachedTokens * small.cached',
        replace: 'usage.cachedTokens * small.prompt',
      },
    ],
  },
  {
    name: 'charges-repeats',
    what: 'a record that comes again is charged again',
    shows: ['charged-twice'],
    patches: [
      {
        file: 'domain/account/state.ts',
        find: "if (number <= producer.settledThrough) return 'settled';",
        replace: "if (number <= producer.settledThrough) return 'next';",
      },
    ],
  },
  {
    name: 'grants-what-is-reserved',
    what: 'quota that is set aside is granted again',
    shows: ['overdrawn', 'verify-finds'],
    patches: [
      {
        file: 'domain/account/state.ts',
        find: 'state.balance - state.reserved',
        replace: 'state.balance',
      },
    ],
  },
  {
    name: 'leaves-tokens-unbounded',
    what: 'the budget of a token bounds nothing',
    shows: ['overdrawn'],
    patches: [
      {
        file: 'domain/account/state.ts',
        find: 'return budget.unlimited ? null : budget.remain',
        replace: 'return true ? null : budget.remain',
      },
    ],
  },
  {
    name: 'returns-what-is-spent',
    what: 'a lease that comes back counts as if nothing of it had been spent',
    shows: ['verify-finds', 'overdrawn'],
    patches: [
      {
        file: 'domain/account/decider-leases.ts',
        find: 'if (data.closes) return outstanding(held);',
        replace: 'if (data.closes) return held.amount;',
      },
    ],
  },
  {
    name: 'writes-over-other-keepers',
    what: 'a keeper appends wherever the stream may be',
    shows: ['charged-twice', 'overdrawn', 'verify-finds'],
    patches: [
      {
        file: 'command-api/commands/append.ts',
        find: '(streamId, events, expected)',
        replace: "(streamId, events, 'any')",
      },
    ],
  },
  {
    name: 'keeps-failed-appends',
    what: 'a keeper goes on with books that the log did not take',
    shows: ['stalled', 'not-charged', 'verify-finds'],
    patches: [
      {
        file: 'command-api/keeper/account-queues.ts',
        find: '        queue.account = null;\n        for (const { reject }',
        replace: '        for (const { reject }',
      },
      {
        file: 'command-api/keeper/account-queues.ts',
        find: '      forget: () => {\n        queue.account = null;\n      },',
        replace: '      forget: () => {},',
      },
    ],
  },
  {
    name: 'forgets-the-tail',
    what: 'a keeper takes a snapshot for the whole account',
    shows: ['stalled', 'not-charged', 'verify-finds', 'overdrawn'],
    patches: [
      {
        file: 'command-api/keeper/load-account.ts',
        find: '  await readAccountTail(store, account);\n  return',
        replace: '  return',
      },
    ],
  },
  {
    name: 'credits-again',
    what: 'a command that comes again is carried out again',
    shows: ['credited-twice', 'verify-finds', 'over-corrected'],
    patches: [
      {
        file: 'command-api/keeper/account-command.ts',
        find: '      if (stored !== undefined) return repeatOf(command, stored);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'settles-ahead-of-a-gap',
    what: 'a number is settled though one before it is missing',
    shows: ['not-charged', 'verify-finds', 'reserved-at-rest'],
    under: { kinds: { 'empty-bus': 3, crash: 1 }, busForgetsMs: 1_500 },
    patches: [
      {
        file: 'domain/account/state.ts',
        find: "return number === producer.settledThrough + 1 ? 'next' : 'ahead';",
        replace: "return 'next';",
      },
    ],
  },
  {
    name: 'expires-at-once',
    what: 'a keeper takes a relay for dead before its term is over',
    shows: ['overdrawn', 'verify-finds'],
    patches: [
      {
        file: 'command-api/keeper/create-keeper.ts',
        find: 'const abandonAfterMs = 2 * leaseTtlMs;',
        replace: 'const abandonAfterMs = leaseTtlMs / 20;',
      },
    ],
  },
];
