import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { userId } from '../shared/ids.ts';
import { withReason } from '../shared/reason.ts';
import { sealed } from '../shared/sealed.ts';
import { flag, nullable, optional, text, whole } from '../shared/shape.ts';

const ofSite = defineEvents('site', 'site');
const ofOption = defineEvents('site', 'option');

export const siteEvents = {
  /** The first administrator set the site up. Happens once for ever. */
  SiteInitialised: ofSite({
    rootUserId: userId,
    selfUseMode: flag,
    demoSite: flag,
  }),
  /** An operator changed an option. Carries the old value so that the audit trail needs no lookup. */
  OptionChanged: ofOption({
    key: text,
    value: text,
    previous: nullable(text),
    ...withReason,
  }),
  /** An operator changed a secret option; only sealed text is stored, and never the old one. */
  SecretOptionChanged: ofOption({ key: text, sealed, ...withReason }),
  /**
   * An option went back to its default. `because` names the option whose change took a secret back:
   * what was entered for one address is not sent to another.
   */
  OptionReset: ofOption({
    key: text,
    previous: nullable(text),
    because: optional(text),
    ...withReason,
  }),
  /**
   * An operator took old charges and errors out of the usage log: entries from before `before` (Unix
   * seconds). The ledger keeps every movement. Being an event, the cut remains after a rebuild as well.
   */
  UsageLogPruned: ofSite({ before: whole }),
};

type Events = EventsOf<typeof siteEvents>;
export type SiteInitialised = Events['SiteInitialised'];
export type OptionChanged = Events['OptionChanged'];
export type SecretOptionChanged = Events['SecretOptionChanged'];
export type OptionReset = Events['OptionReset'];
export type UsageLogPruned = Events['UsageLogPruned'];
export type SiteEvent = Events[keyof Events];
