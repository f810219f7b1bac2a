import { deadLetterEvents } from './account/dead-letter.ts';
import { accountEvents } from './account/events.ts';
import { leasedAccountsEvents } from './account/leased-accounts.ts';
import { accountSnapshotEvents } from './account/snapshot.ts';
import { channelEvents } from './channel/events.ts';
import { keyringEvents } from './keyring/events.ts';
import { redemptionEvents } from './redemption/events.ts';
import { relayEvents } from './relay/events.ts';
import { refusalEvents } from './relay/refusals.ts';
import type { CatalogueEntry, EventsOf } from './shared/catalogue.ts';
import { identityEvents } from './shared/identity.ts';
import { processEvents } from './shared/process.ts';
import { siteEvents } from './site/events.ts';
import { taskEvents } from './task/events.ts';
import { tokenEvents } from './token/events.ts';
import { topUpEvents } from './topup/events.ts';
import { loginFailureEvents, personalKeyEvents, userEvents } from './user/events.ts';

const domainEvents = {
  ...siteEvents,
  ...userEvents,
  ...loginFailureEvents,
  ...personalKeyEvents,
  ...accountEvents,
  ...tokenEvents,
  ...channelEvents,
  ...redemptionEvents,
  ...topUpEvents,
  ...taskEvents,
  ...relayEvents,
  ...refusalEvents,
  ...keyringEvents,
};

/** Notes that the writers of the log keep for themselves; no read model shows them. */
const bookkeepingEvents = {
  ...accountSnapshotEvents,
  ...identityEvents,
  ...leasedAccountsEvents,
  ...processEvents,
  ...deadLetterEvents,
};

/**
 * Every event type: the category of its streams, what the audit trail files it under, its current
 * version, the upcasters from older versions, and the shape of its data. How to change one:
 * infra/decisions/0016-event-versions.md.
 */
export const eventCatalogue = { ...domainEvents, ...bookkeepingEvents };

type Catalogue = typeof eventCatalogue;
export type EventType = keyof Catalogue;
type Events = EventsOf<Catalogue>;
/** Every event that the log of the product contains. */
export type ProductEvent = Events[EventType];
/** Everything that can happen. */
export type DomainEvent = Events[keyof typeof domainEvents];

const entries = new Map<string, CatalogueEntry>(Object.entries(eventCatalogue));

/** undefined: no event type of the product. */
export const catalogueEntryOf = (type: string): CatalogueEntry | undefined => entries.get(type);

type AuditedType = {
  [Type in EventType]: Catalogue[Type]['auditSubject'] extends null ? never : Type;
}[EventType];
/** The events that the audit trail files under a subject. */
export type AuditedEvent = Events[AuditedType];
