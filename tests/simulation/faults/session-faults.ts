import type { Fault } from './fault.ts';

/** Money of realtime sessions: each turn is reserved, extended while it runs, and charged once. */
export const sessionFaults: readonly Fault[] = [
  {
    name: 'forgets-turns-that-broke-off',
    what: 'a turn of a session that broke off is free, whatever was heard of it',
    shows: ['not-charged'],
    under: { sessions: 1 },
    patches: [
      {
        file: 'relay/realtime/session-response.ts',
        find: 'if (totalOf(usage) > 0) return',
        replace: 'if (totalOf(usage) < 0) return',
      },
    ],
  },
  {
    name: 'keeps-the-turn-to-come',
    what: 'what a session holds for its next turn does not come back when it ends',
    shows: ['reserved-at-rest'],
    under: { sessions: 1 },
    patches: [
      {
        file: 'relay/realtime/session-plan.ts',
        find: '    if (this.held !== null) this.core.leaseBook.settle(this.held, 0);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'reserves-nothing-for-turns',
    what: 'the turns of a session are begun without a reservation',
    shows: ['overdrawn'],
    under: { sessions: 1 },
    patches: [
      {
        file: 'relay/realtime/session-plan.ts',
        find: 'return isFree ? 0 : Math.max(this.perResponse, this.lastAmount);',
        replace: 'return isFree ? 0 : Math.min(1, this.perResponse, this.lastAmount);',
      },
    ],
  },
  {
    name: 'goes-on-unfunded',
    what: 'a turn goes on when neither the lease nor the account funds more of it',
    shows: ['overdrawn'],
    under: { sessions: 1, smallShare: 0 },
    patches: [
      {
        file: 'relay/realtime/session.ts',
        find: 'if (unfunded.length === 0) return;',
        replace: 'if (unfunded.length >= 0) return;',
      },
    ],
  },
];
