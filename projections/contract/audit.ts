import { z } from 'zod';
import { pageOf } from './envelope.ts';
import { auditExportQuery, auditQuery } from './query.ts';
import { route } from './route.ts';

/** What a change was made to. `account` is money, `site` the installation as a whole. */
const auditSubjectKind = z.enum([
  'site',
  'option',
  'user',
  'account',
  'token',
  'channel',
  'redemption',
  'topup',
]);
export type AuditSubjectKind = z.infer<typeof auditSubjectKind>;

const auditChange = z.object({
  field: z.string(),
  /** As it was and as it is; null where there was nothing, or is nothing any more. */
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditChange = z.infer<typeof auditChange>;

const auditRow = z.object({
  /** Place in the log, decimal text. */
  id: z.string(),
  event_id: z.string(),
  /** Unix seconds. */
  at: z.number().int(),
  /** Event type, as `ChannelChanged`. */
  type: z.string(),
  /** Ordinary users see that an admin acted, never which one or from where. */
  actor: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  /** `~` and six characters where the actor is unknown: the mark of an address, not the address. */
  ip: z.string(),
  subject: z.object({ kind: auditSubjectKind, id: z.string(), name: z.string() }),
  /** Why, in the words of who did it; "" where none were given. */
  reason: z.string(),
  changes: z.array(auditChange),
  /** Fields that were changed and whose value is never shown: keys, passwords, personal data. */
  secrets: z.array(z.string()),
  /** The request id that the client saw; "" where there is none. */
  request_id: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

const auditPage = pageOf(auditRow);
export type AuditPage = z.infer<typeof auditPage>;

const page = { query: auditQuery, data: auditPage };

export const auditApi = {
  'GET /api/audit': route('admin', 'Lists who changed what, newest first.', page),
  'GET /api/audit/self': route(
    'user',
    'Lists what the caller did and what was done to them.',
    page,
  ),
  'GET /api/audit/export': route('admin', 'Exports the audit trail, by the filters of the list.', {
    query: auditExportQuery,
    row: auditRow,
  }),
};
