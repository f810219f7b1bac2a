import type { Event } from './event.ts';
import { type Fields, type Infer, object, type Shape } from './shape.ts';

/** The part of a stream's name before its first dash. */
export type StreamCategory =
  | 'site'
  | 'user'
  | 'loginFailures'
  | 'personalKey'
  | 'account'
  | 'token'
  | 'channel'
  | 'redemption'
  | 'topup'
  | 'task'
  | 'relay'
  | 'refusals'
  | 'keyring'
  | 'accountSnapshot'
  | 'ids'
  | 'leasedAccounts'
  | 'process'
  | 'usageSetAside';

/** What the audit trail files an event under. `account` is money, `site` the whole installation. */
export type AuditSubject =
  | 'site'
  | 'option'
  | 'user'
  | 'account'
  | 'token'
  | 'channel'
  | 'redemption'
  | 'topup';

export type StoredData = Readonly<Record<string, unknown>>;
/** Turns the stored data of one version into that of the next. Pure, and never throws. */
export type Upcaster = (data: StoredData) => StoredData;

export type CatalogueEntry = Readonly<{
  /** null: the event is in streams of several categories. */
  category: StreamCategory | null;
  /** null: the audit trail leaves the event out. */
  auditSubject: AuditSubject | null;
  /** The oldest that a release wrote. */
  firstVersion: number;
  /** Of its shape; there is one upcaster for each version from the first one on. */
  version: number;
  upcasters: readonly Upcaster[];
  shape: Shape;
}>;

/** Defines event types of one stream category that the audit trail files under one subject. */
export const defineEvents =
  <const C extends StreamCategory | null, const A extends AuditSubject | null>(
    category: C,
    auditSubject: A,
  ) =>
  <F extends Fields>(fields: F, ...upcasters: readonly Upcaster[]) => ({
    category,
    auditSubject,
    firstVersion: 1,
    version: upcasters.length + 1,
    upcasters,
    shape: object(fields),
  });

/** The definition of an event type whose versions before this one were never released. */
export const fromVersion = <E extends CatalogueEntry>(firstVersion: number, entry: E): E => ({
  ...entry,
  firstVersion,
  version: firstVersion + entry.upcasters.length,
});

/** The events of a table of definitions, by their type. */
export type EventsOf<Table extends Readonly<Record<string, CatalogueEntry>>> = {
  [Type in keyof Table & string]: Event<Type, Infer<Table[Type]['shape']>>;
};
