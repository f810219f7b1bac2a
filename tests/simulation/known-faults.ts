import { full, type Profile } from './nemesis/profile.ts';
import type { ViolationKind } from './oracle/violations.ts';

/**
 * An open defect of the product: its history fails. Fresh histories avoid the kind of action that
 * shows it, where it is one kind; a coincidence of several they may draw.
 */
export type KnownFault = Readonly<{
  /** Of its history in `histories/`, without `.json`. */
  name: string;
  what: string;
  /**
   * All that the oracle reports of it; a change of the product that alters this must change this
   * line.
   */
  shows: readonly ViolationKind[];
}>;

/**
 * The open defects. A history that passes makes the test of its line fail: remove the line, and let
 * fresh seeds draw again what showed it (see `today`).
 */
export const knownFaults: readonly KnownFault[] = [
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
    name: 'b-forged-credit-unseen',
    what: 'verify does not see a forged adjustment at the end of an account',
    shows: ['verify-misses'],
  },
];

/** Only a signature over the log can detect these. */
const tellable = full.tamperings.filter(
  (kind) => !['caller', 'forged-credit', 'remove-failure'].includes(kind),
);

/**
 * What the product withstands today: all that the nemesis can do, less what shows an open defect.
 */
export const today: Profile = { ...full, tamperings: tellable };
