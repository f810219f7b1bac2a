import type { ActionKind } from './history.ts';
import { full, type Profile } from './nemesis/profile.ts';
import type { ViolationKind } from './oracle/violations.ts';

/** A defect of the product as it stands: its history fails, and fresh histories avoid what shows it. */
export type KnownFault = Readonly<{
  /** Of its history in `histories/`, without `.json`. */
  name: string;
  what: string;
  /** All that the oracle says of it; a change of the product that alters this must change this line. */
  shows: readonly ViolationKind[];
}>;

/**
 * The defects that are not mended. A history that comes to pass makes the test of its line fail:
 * remove the line, and let fresh seeds draw again what showed it (see `today`).
 */
export const knownFaults: readonly KnownFault[] = [
  {
    name: 'a01-bus-forgets-usage',
    what: 'the bus loses unsynced usage that the relay takes for shipped',
    shows: ['not-charged', 'reserved-at-rest'],
  },
  {
    name: 'a02-full-disk-answers',
    what: 'a relay answers while neither its disk nor the bus takes the record',
    shows: ['not-charged'],
  },
  {
    name: 'a02-full-disk-loses-at-stop',
    what: 'a relay that stops in order drops what a full disk did not take',
    shows: ['not-charged'],
  },
  {
    name: 'a03-clock-hides-outcome',
    what: 'a relay clock two hours ahead hides an outcome from the search for it',
    shows: ['charged-twice', 'verify-finds'],
  },
  {
    name: 'a03-late-credit-hides-outcome',
    what: 'a credit with an old time hides an outcome from the search for it',
    shows: ['charged-twice', 'verify-finds'],
  },
  {
    name: 'a03-keeper-clock-hides-outcome',
    what: 'a keeper clock two hours back for one append hides an outcome',
    shows: ['charged-twice', 'verify-finds'],
  },
  {
    name: 'a04-forgotten-instance',
    what: 'an account forgets a relay instance and takes its old records for new ones',
    shows: ['charged-twice', 'verify-finds'],
  },
  {
    name: 'a05-paused-relay-spends',
    what: 'a relay that was paused spends leases that have been granted again',
    shows: ['overdrawn'],
  },
  {
    name: 'a05-paused-keeper-grants-again',
    what: 'a keeper that was paused takes leases of live relays for expired and grants again',
    shows: ['overdrawn'],
  },
  {
    name: 'a05-cut-keeper-grants-again',
    what: 'a keeper that was cut off from the bus takes leases of live relays for expired',
    shows: ['overdrawn'],
  },
  {
    name: 'a05-clock-ahead-expires-leases',
    what: 'a keeper clock that jumps ahead expires leases of live relays',
    shows: ['overdrawn'],
  },
  {
    name: 'a05-clock-behind-stalls-takeover',
    what: 'with a keeper clock far back a dead keeper is not replaced and leases stay',
    shows: ['not-charged', 'reserved-at-rest', 'stalled'],
  },
  {
    name: 'a06-corrections-unbounded',
    what: 'corrections of one request give back more than its charge',
    shows: ['over-corrected'],
  },
  {
    name: 'a07-lowered-balance',
    what: 'calls are admitted from leases after the balance was set to zero',
    shows: ['overdrawn'],
  },
  {
    name: 'a07-lowered-budget',
    what: 'calls are admitted from leases after the budget of a token was lowered',
    shows: ['overdrawn'],
  },
  {
    name: 'a08-older-bus-stalls',
    what: 'a keeper does not reopen a partition when the bus comes back with an older state',
    shows: ['not-charged', 'reserved-at-rest', 'stalled'],
  },
  {
    name: 'a09-idle-quota-elsewhere',
    what: 'a call is refused while another relay holds idle quota that covers it',
    shows: ['refused-with-quota'],
  },
  {
    name: 'a10-log-older-than-read-models',
    what: 'read models and processes ahead of a restored log never show what comes next',
    shows: ['verify-finds'],
  },
  {
    name: 'a11-flipped-bit-charged',
    what: 'a flipped bit in a journal is charged as it stands',
    shows: ['wrong-amount'],
  },
  {
    name: 'a12-poisoned-snapshot-unseen',
    what: 'verify does not see a forged balance in a snapshot',
    shows: ['verify-misses'],
  },
  {
    name: 'a13-credit-beyond-numbers',
    what: 'a redeemed code is used up although its credit goes beyond the largest balance',
    shows: ['credit-lost', 'verify-finds'],
  },
  {
    name: 'a14-missing-read-models-unseen',
    what: 'verify takes read models that are gone for none that were to be',
    shows: ['verify-misses'],
  },
  {
    name: 'a15-damage-unseen',
    what: 'a charge that a damaged journal loses is in no report',
    shows: ['verify-misses'],
  },
  {
    name: 'b-actor-unseen',
    what: 'verify does not see another actor in an event',
    shows: ['verify-misses'],
  },
  {
    name: 'b-caller-unseen',
    what: 'verify does not see another address in a charge',
    shows: ['verify-misses'],
  },
  {
    name: 'b-remove-failure-unseen',
    what: 'verify does not see that a failed request is gone',
    shows: ['verify-misses'],
  },
  {
    name: 'b-remove-last-charge-unseen',
    what: 'verify does not see that the last event of an account, a charge, is gone',
    shows: ['verify-misses'],
  },
  {
    name: 'b-forged-credit-unseen',
    what: 'verify does not see a forged adjustment at the end of an account',
    shows: ['verify-misses'],
  },
  {
    name: 'd01-stream-cut-late',
    what: 'a stream that no quota covers any more runs on to its end',
    shows: ['overdrawn'],
  },
  {
    name: 'n01-late-ask-granted',
    what: 'an ask that comes late is granted to a relay that does not wait for it any more',
    shows: ['reserved-at-rest'],
  },
  {
    name: 'n02-keeper-cut-stalls',
    what: 'usage waits for ever on a partition whose keeper was cut off from the bus',
    shows: ['stalled'],
  },
  {
    name: 'n03-process-ahead-of-log',
    what: 'a process manager stands ahead of a restored log',
    shows: ['verify-finds'],
  },
  {
    name: 'n04-power-loss-two-outcomes',
    what: 'a request that has failed is abandoned when its relay loses power',
    shows: ['verify-finds'],
  },
  {
    name: 'n06-failure-stored-twice',
    what: 'a failure that comes again after its keeper died is stored again under the same id',
    // What its history showed was a note of leased accounts, at a moment that has moved since. The
    // failure itself has no history that shows it, and is not known to be mended.
    shows: [],
  },
];

/** Kinds of actions that show a known fault. */
const left: readonly ActionKind[] = [
  'empty-bus',
  'fill-log',
  'fill-disk',
  'lose-power',
  'flip-bit',
  'lose-file',
  'restore-log',
  'correct',
  'refund',
  'adjust',
  'empty-balance',
  'set-budget',
];

/** What the product withstands today: all that the nemesis can do, less what shows a known fault. */
export const today: Profile = {
  ...full,
  kinds: Object.fromEntries(
    Object.entries(full.kinds).filter(([kind]) => !left.includes(kind as ActionKind)),
  ),
  longestAbsenceMs: 1_500,
  busForgetsMs: 0,
  clockSpreadMs: 200,
  underestimates: false,
  tamperings: ['amount', 'balance', 'remove-charge', 'repeat-charge'],
  muted: ['refused-with-quota', 'reserved-at-rest'],
};
