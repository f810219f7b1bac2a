import type { AuditSubjectKind } from '../contract/audit.ts';
import { defineTable, type RowOf, type SchemaOf, textOf } from '../runtime/table.ts';

export const auditTrailTables = {
  entries: defineTable({
    name: 'entries',
    columns: {
      /** Place in the log of the event behind the entry. */
      position: 'int8',
      event_id: 'text',
      /** Unix seconds. */
      at: 'int8',
      type: 'text',
      actor_kind: 'text',
      actor_id: 'text',
      /** `~` and a mark where the actor is not identified; otherwise the address is sealed. */
      ip: 'text',
      /** Under the key of the person who acted. */
      sealed_ip: 'text',
      subject_kind: textOf<AuditSubjectKind>(),
      subject_id: 'text',
      /** "" for people, who are looked up, and for what is sealed. */
      subject_name: 'text',
      /** User id of the owner; 0: the event concerns no one person. */
      owner_id: 'int8',
      /** JSON text of the fields that changed, as they were and as they are. */
      before: 'text',
      after: 'text',
      /** The owner's data of the event, and of the one before it; under the owner's key. */
      sealed: 'text',
      sealed_before: 'text',
      /** Typed by the actor. */
      reason: 'text',
      /** Comma list of fields whose value is never shown. */
      secrets: 'text',
      request_id: 'text',
    },
    key: ['position'],
    eventPosition: 'position',
    writeIndexes: ['(owner_id, position)', '(actor_id, position)'],
    indexes: ['(subject_kind, subject_id, position)', '(type, position)'],
  }),
  /** The stored facts of each subject: the values before a change. */
  things: defineTable({
    name: 'things',
    columns: {
      /** `channel/3` */
      thing: 'text',
      /** User id of the owner; 0: none. */
      owner_id: 'int8',
      /** JSON text of its fields. */
      fields: 'text',
      name: 'text',
      /** The owner's data of its newest event, sealed. */
      sealed: 'text',
    },
    key: ['thing'],
    writeIndexes: ['(owner_id)'],
  }),
};

export type AuditTrailRow = RowOf<typeof auditTrailTables.entries>;
export type KnownThingRow = RowOf<typeof auditTrailTables.things>;
export type AuditTrailSchema = SchemaOf<'audit_trail', typeof auditTrailTables>;
