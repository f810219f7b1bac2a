import type { ActionKind } from './history.ts';
import type { Profile } from './nemesis/profile.ts';
import { full } from './nemesis/profile.ts';
import type { ViolationKind } from './oracle/violations.ts';

/** A defect of the product as it stands: its history fails, and fresh histories avoid what shows it. */
export type KnownFailure = Readonly<{
  /** Of its history in `histories/`, without `.json`. */
  name: string;
  what: string;
  violation: ViolationKind;
  /** What generated histories leave out as long as the defect is there. */
  avoid: (profile: Profile) => Profile;
}>;

export const without =
  (...left: readonly ActionKind[]) =>
  (profile: Profile): Profile => ({
    ...profile,
    kinds: Object.fromEntries(
      Object.entries(profile.kinds).filter(([kind]) => !left.includes(kind as ActionKind)),
    ),
  });

export const knownFailures: readonly KnownFailure[] = [];

/** What the product withstands today. */
export const today: Profile = knownFailures.reduce((profile, { avoid }) => avoid(profile), full);
