import type { Fault } from './fault.ts';

/** Manual grants and withdrawals of quota, closed producers, and what verify has to detect. */
export const givingFaults: readonly Fault[] = [
  {
    name: 'refunds-beyond-the-charge',
    what: 'refunds of one request are not bounded by its charge',
    shows: ['over-corrected'],
    under: { kinds: { refund: 3, correct: 1 } },
    patches: [
      {
        file: 'domain/account/decider-requests.ts',
        find: 'const left = Math.max(0, charge.amount - charge.refunded);',
        replace: 'const left = charge.amount;',
      },
    ],
  },
  {
    name: 'corrects-beyond-the-charge',
    what: 'corrections of one request are not bounded by its charge',
    shows: ['over-corrected'],
    under: { kinds: { correct: 3, refund: 1 } },
    patches: [
      {
        file: 'command-api/keeper/account-command.ts',
        find: '  const left = chargesNamed',
        replace: '  const left = 1e12 + chargesNamed',
      },
    ],
  },
  {
    name: 'leases-beyond-the-token',
    what: 'a lease is granted from the balance alone, whatever the budget of its token',
    shows: ['overdrawn'],
    patches: [
      {
        file: 'domain/account/decider-leases.ts',
        find: 'const bound = tokenLeft === null ? balanceLeft : Math.min(balanceLeft, tokenLeft);',
        replace: 'const bound = balanceLeft;',
      },
    ],
  },
  {
    name: 'leaves-lowered-leases',
    what: 'relays go on with what they hold when a balance is lowered',
    shows: ['overdrawn'],
    under: { kinds: { 'empty-balance': 3, 'set-budget': 2 }, smallShare: 0 },
    patches: [
      {
        file: 'command-api/keeper/recall.ts',
        find: 'if (lowered.length === 0) return;',
        replace: 'if (lowered.length >= 0) return;',
      },
    ],
  },
  {
    name: 'names-reactions-anew',
    what: 'the command of a process manager has another id each time',
    shows: ['credited-twice'],
    under: { kinds: { 'top-up': 4, crash: 2, 'restart-log': 1 } },
    patches: [
      {
        file: 'command-api/processes/process.ts',
        find: 'commandId: uuidFrom(',
        replace: 'commandId: uuidFrom(String(reactions++) + ',
      },
      {
        file: 'command-api/processes/process.ts',
        find: 'export const causedBy = (',
        replace: 'let reactions = 0;\nexport const causedBy = (',
      },
    ],
  },
  {
    name: 'verify-trusts-balances',
    what: 'verify does not add up the balances that events claim',
    shows: ['verify-misses'],
    under: { kinds: { tamper: 1 }, tamperings: ['balance'], projections: 0 },
    patches: [
      {
        file: 'infra/verify/account-check.ts',
        find: 'const shift = claimed - account.balance;',
        replace: 'const shift = 0;',
      },
    ],
  },
  {
    name: 'verify-ignores-rows',
    what: 'verify finds nothing in rows of read models that are wrong, missing or too many',
    shows: ['verify-misses'],
    under: {
      kinds: { tamper: 1 },
      tamperings: ['read-model', 'missing-read-model'],
      projections: 1,
    },
    patches: [
      {
        file: 'infra/verify/findings.ts',
        find: 'this.#add({ kind, eventId, streamId: null, position, row, detail });',
        replace: '',
      },
    ],
  },
];
