import type { Event } from '../shared/event.ts';
import type { UserId } from '../shared/ids.ts';
import type { WithReason } from '../shared/reason.ts';
import type { Sealed } from '../shared/sealed.ts';

/** The first administrator set the site up. Happens once for ever. */
export type SiteInitialised = Event<
  'SiteInitialised',
  { rootUserId: UserId; selfUseMode: boolean; demoSite: boolean }
>;

/** An operator changed an option. Carries the old value so that the audit trail needs no lookup. */
export type OptionChanged = Event<
  'OptionChanged',
  { key: string; value: string; previous: string | null } & WithReason
>;

/** An operator changed a secret option; only sealed text is stored, and never the old one. */
export type SecretOptionChanged = Event<
  'SecretOptionChanged',
  { key: string; sealed: Sealed } & WithReason
>;

/**
 * An option went back to its default. `because` names the option whose change took a secret back:
 * what was entered for one address is not sent to another.
 */
export type OptionReset = Event<
  'OptionReset',
  { key: string; previous: string | null; because?: string } & WithReason
>;

/**
 * An operator took old charges and errors out of the usage log: entries from before `before` (Unix
 * seconds). The ledger keeps every movement. Being an event, the cut holds after a rebuild as well.
 */
export type UsageLogPruned = Event<'UsageLogPruned', { before: number }>;

export type SiteEvent =
  | SiteInitialised
  | OptionChanged
  | SecretOptionChanged
  | OptionReset
  | UsageLogPruned;
