import type { Shape } from './shape.ts';

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

/** One upcaster for each version before the current one. */
type Versioned =
  | Readonly<{ version: 1; upcasters: readonly [] }>
  | Readonly<{ version: 2; upcasters: readonly [Upcaster] }>
  | Readonly<{ version: 3; upcasters: readonly [Upcaster, Upcaster] }>
  | Readonly<{ version: 4; upcasters: readonly [Upcaster, Upcaster, Upcaster] }>;

export type CatalogueEntry<Data> = Versioned &
  Readonly<{
    /** null: the event stands in streams of several categories. */
    category: StreamCategory | null;
    /** null: the audit trail leaves the event out. */
    auditSubject: AuditSubject | null;
    shape: Shape<Data>;
  }>;
