import { readdirSync, readFileSync } from 'node:fs';
import { type AuditedEvent, catalogueEntryOf } from '../../domain/events.ts';
import type { Actor, Recorded } from '../../domain/shared/event.ts';
import type { KnownSubject } from '../../projections/audit-trail/audit-subjects.ts';
import { auditTrailProjector } from '../../projections/audit-trail/projector.ts';
import type { AuditTrailRow } from '../../projections/audit-trail/table.ts';
import { toWire } from '../../projections/audit-trail/wire-rows.ts';
import type { AuditRow } from '../../projections/contract/audit.ts';

type Stored = Readonly<{
  type: string;
  data: Readonly<Record<string, unknown>>;
  metadata: Readonly<{ actor: Actor; occurredAt: string }>;
}>;

const domain = new URL('../../domain', import.meta.url).pathname;

/** The stored events of every type that the trail files, in their newest version. */
const storedEvents = (): readonly Stored[] =>
  readdirSync(domain, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\/fixtures\/\w+\.v\d+\.json$/.test(path))
    .map((path) => ({ path, entry: catalogueEntryOf(/(\w+)\.v\d+/.exec(path)?.[1] ?? '') }))
    .filter(({ path, entry }) => entry?.auditSubject && path.endsWith(`.v${entry.version}.json`))
    .map(({ path }) => JSON.parse(readFileSync(`${domain}/${path}`, 'utf8')) as Stored);

/** One subject of each kind goes through all of its events. */
const ofOneSubject = { userId: 2, channelId: 1, tokenId: 1, redemptionId: 1 };
const together = ({ data, ...event }: Stored): Stored => ({
  ...event,
  data: Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      ofOneSubject[name as keyof typeof ofOneSubject] ?? value,
    ]),
  ),
});

/** What creates a subject precedes its changes, and what ends it is last. */
const ageOf = ({ type }: Stored): number => {
  if (/(Created|Registered|Ordered|Initialised)$/.test(type)) return 0;
  return type.endsWith('Deleted') ? 2 : 1;
};

const names = new Map([
  [1, 'root'],
  [2, 'dave'],
]);

/** The entries of the trail for these events, as administrators get them, oldest first. */
export const entriesOf = (events: readonly Stored[]): readonly AuditRow[] => {
  const entries: AuditTrailRow[] = [];
  const rows = {
    entries: { insert: (row: AuditTrailRow) => entries.push(row) },
    things: { put: () => undefined },
  };
  const subjects = new Map<string, KnownSubject>();
  const context = { subjects, departed: new Set<number>() };
  for (const [index, { type, data, metadata }] of events.entries()) {
    // Money that a process moves is in the ledger alone; moved manually it is in the trail.
    const isProcess = type !== 'ChannelAutoDisabled' && metadata.actor.kind === 'system';
    const actor = isProcess ? { kind: 'admin', id: '1' } : metadata.actor;
    const recorded = {
      event: { type, data },
      eventId: `event-${index}`,
      position: BigInt(index),
      metadata: { ...metadata, actor },
    } as unknown as Recorded<AuditedEvent>;
    const handler = auditTrailProjector.on[type];
    if (typeof handler === 'function') handler(rows, recorded, context);
  }
  const showing = { seals: new Map(), subjects: names, actors: names };
  return entries.map((row) => toWire(row, showing));
};

/** An entry for each event type of the trail, from the stored events of the catalogue. */
export const entriesOfEveryType = (): readonly AuditRow[] =>
  entriesOf(
    storedEvents()
      .map(together)
      .sort((left, right) => ageOf(left) - ageOf(right)),
  );

const byAdmin = { actor: { kind: 'admin', id: '1' }, occurredAt: '2026-03-01T08:00:00.000Z' };
/** An event of an administrator, with the members that a spec has to set. */
export const anAct = (type: string, data: Stored['data']): Stored => ({
  type,
  data,
  metadata: byAdmin as Stored['metadata'],
});
