import { expect, test } from 'vitest';
import { type AnswerEnding, outcomeOf } from './outcome.ts';

const complete: AnswerEnding = {
  reason: 'complete',
  isClientGone: false,
  isBroken: false,
  hasFinalReport: true,
  isEmpty: false,
};

const charged = (end: string, isPartial: boolean) => ({ kind: 'charged', end, isPartial });
const uncharged = { kind: 'uncharged' };

test.each([
  ['complete, reported', {}, charged('complete', false)],
  ['complete, nothing reported', { hasFinalReport: false }, charged('complete', true)],
  [
    'empty but in order, nothing reported',
    { hasFinalReport: false, isEmpty: true },
    charged('complete', true),
  ],
  ['empty but in order, reported', { isEmpty: true }, charged('complete', false)],
  [
    'broken before anything was produced',
    { reason: 'upstream-broken', isBroken: true, hasFinalReport: false, isEmpty: true },
    uncharged,
  ],
  [
    'an error event before anything was produced',
    { isBroken: true, hasFinalReport: false, isEmpty: true },
    uncharged,
  ],
  [
    'broken before anything was produced, while the client had gone',
    {
      reason: 'client-gone',
      isClientGone: true,
      isBroken: true,
      hasFinalReport: false,
      isEmpty: true,
    },
    uncharged,
  ],
  [
    'broken after some was produced',
    { reason: 'upstream-broken', isBroken: true, hasFinalReport: false },
    charged('upstream-broken', true),
  ],
  [
    'an error event after some was produced, and an end in order',
    { isBroken: true, hasFinalReport: false },
    charged('upstream-broken', true),
  ],
  [
    'broken after the report of the whole',
    { reason: 'upstream-broken', isBroken: true, isEmpty: true },
    charged('upstream-broken', false),
  ],
  [
    'the client left and the answer was read on',
    { isClientGone: true },
    charged('client-gone', false),
  ],
  [
    'the client left and the time for reading on was up',
    { reason: 'client-gone', isClientGone: true, hasFinalReport: false, isEmpty: true },
    charged('client-gone', true),
  ],
  [
    'cut off for lack of quota',
    { reason: 'cut-off', hasFinalReport: false },
    charged('cut-off', true),
  ],
  [
    'cut off after the client had left',
    { reason: 'cut-off', isClientGone: true, hasFinalReport: false },
    charged('cut-off', true),
  ],
] as const)('an answer that is %s', (_name, facts, expected) => {
  expect(outcomeOf({ ...complete, ...facts })).toEqual(expected);
});
