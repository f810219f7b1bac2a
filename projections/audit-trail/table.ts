import type { AuditSubjectKind } from '../contract/audit.ts';
import { tableOf } from '../runtime/table.ts';

export type AuditTrailRow = Readonly<{
  /** Place in the log of the event behind the entry. */
  position: number;
  event_id: string;
  /** Unix seconds. */
  at: number;
  type: string;
  actor_kind: string;
  actor_id: string;
  /** `~` and a mark where the actor is not identified; otherwise the address is sealed. */
  ip: string;
  /** Under the key of the person who acted. */
  sealed_ip: string;
  subject_kind: AuditSubjectKind;
  subject_id: string;
  /** "" for people, who are looked up, and for what is sealed. */
  subject_name: string;
  /** User id of the owner; 0: the event concerns no one person. */
  owner_id: number;
  /** JSON text of the fields that changed, as they were and as they are. */
  before: string;
  after: string;
  /** The owner's data of the event, and of the one before it; under the owner's key. */
  sealed: string;
  sealed_before: string;
  /** Typed by the actor. */
  reason: string;
  /** Comma list of fields whose value is never shown. */
  secrets: string;
  request_id: string;
}>;

/** The stored facts of each subject: the values before a change. */
export type KnownThingRow = Readonly<{
  /** `channel/3` */
  thing: string;
  /** User id of the owner; 0: none. */
  owner_id: number;
  /** JSON text of its fields. */
  fields: string;
  name: string;
  /** The owner's data of its newest event, sealed. */
  sealed: string;
}>;

export const auditTrailTables = {
  entries: tableOf<AuditTrailRow>()({
    name: 'entries',
    columns: {
      position: 'int8',
      event_id: 'text',
      at: 'int8',
      type: 'text',
      actor_kind: 'text',
      actor_id: 'text',
      ip: 'text',
      sealed_ip: 'text',
      subject_kind: 'text',
      subject_id: 'text',
      subject_name: 'text',
      owner_id: 'int8',
      before: 'text',
      after: 'text',
      sealed: 'text',
      sealed_before: 'text',
      reason: 'text',
      secrets: 'text',
      request_id: 'text',
    },
    key: ['position'],
    writeIndexes: ['(owner_id, position)', '(actor_id, position)'],
    indexes: ['(subject_kind, subject_id, position)', '(type, position)'],
  }),
  things: tableOf<KnownThingRow>()({
    name: 'things',
    columns: { thing: 'text', owner_id: 'int8', fields: 'text', name: 'text', sealed: 'text' },
    key: ['thing'],
    writeIndexes: ['(owner_id)'],
  }),
};
export type AuditTrailSchema = { 'audit_trail.entries': AuditTrailRow };
