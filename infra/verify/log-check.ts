import type { Recorded } from '../../domain/shared/event.ts';
import { categoryOf, timeOf } from './check.ts';
import { CompactIds } from './compact-ids.ts';
import type { Findings } from './findings.ts';

/** Streams whose older events go away by a bound or with a deletion: their revisions only rise. */
const shortened: ReadonlySet<string> = new Set([
  'accountSnapshot',
  'keyring',
  'leasedAccounts',
  'personalKey',
  'process',
]);
/** Streams whose events go away by their age: nothing is missing after one that is younger. */
const aging: ReadonlySet<string> = new Set(['relay', 'refusals']);

/** What only relays report. */
const ofRelays: ReadonlySet<string> = new Set([
  'RequestCharged',
  'RequestFailed',
  'CallsRefused',
  'QuotaLeased',
  'LeaseReturned',
]);

const actorKinds: ReadonlySet<unknown> = new Set(['user', 'admin', 'system', 'relay', 'payment']);

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The field that the metadata of an event lacks; null when it has all. */
const metadataProblem = (recorded: Recorded): string | null => {
  const { metadata } = recorded;
  if (typeof metadata !== 'object' || metadata === null) return 'the metadata is missing';
  const { actor, correlationId, causationId, commandId } = metadata;
  if (typeof actor !== 'object' || actor === null) return 'the metadata names no actor';
  if (!actorKinds.has(actor.kind)) return `the actor has the unknown kind ${String(actor.kind)}`;
  if (!isText(actor.id)) return 'the actor has no id';
  if (!isText(correlationId) || !isText(causationId)) return 'the metadata names no cause';
  if (!isText(commandId)) return 'the metadata names no command';
  return Number.isNaN(timeOf(recorded)) ? 'the event has no valid time' : null;
};

/**
 * The log itself: no event id twice, no gap in a stream, every event names its actor and its cause. Remembers
 * each event id and the last revision of each stream. `keptSince`: milliseconds; failures that are
 * younger are still kept.
 */
export class LogCheck {
  readonly #findings: Findings;
  readonly #ids = new CompactIds({ amounts: false });
  readonly #revisions = new Map<string, number>();
  readonly #keptSince: number;
  /** Streams of failures whose newest event is old enough for the next ones to be gone. */
  readonly #aged = new Set<string>();

  constructor(findings: Findings, keptSince: number) {
    this.#findings = findings;
    this.#keptSince = keptSince;
  }

  has(eventId: string): boolean {
    return this.#ids.markOf(eventId) !== 0;
  }

  /** An unreadable event is no gap in its stream: it is a separate break. */
  leaveOut({ streamId, revision }: Pick<Recorded, 'streamId' | 'revision'>): void {
    this.#revisions.set(streamId, Number(revision));
  }

  see(recorded: Recorded): void {
    const { eventId, streamId } = recorded;
    if (this.#ids.mark(eventId, 1) !== 0) {
      this.#findings.ofEvent('event-twice', recorded, 'an earlier event has this id');
    }
    const problem = metadataProblem(recorded);
    if (problem !== null) this.#findings.ofEvent('metadata-missing', recorded, problem);
    this.#checkActor(recorded);
    const last = this.#revisions.get(streamId) ?? -1;
    const revision = Number(recorded.revision);
    const fits = this.#mayLack(recorded, last) ? revision > last : revision === last + 1;
    if (!fits) {
      const detail = `revision ${revision} follows ${last < 0 ? 'nothing' : `revision ${last}`}`;
      this.#findings.ofEvent('revision-gap', recorded, detail);
    }
    this.#revisions.set(streamId, revision);
  }

  #checkActor(recorded: Recorded): void {
    const { event, metadata } = recorded;
    const { kind, id } = metadata?.actor ?? {};
    if (kind === undefined || !ofRelays.has(event.type)) return;
    const data = event.data as { call?: Readonly<{ relayId?: string }>; relayId?: string };
    const relayId = data.call?.relayId ?? data.relayId ?? id;
    if (kind === 'relay' && relayId === id) return;
    const detail = `${kind} ${id} recorded what only relay ${relayId} may record`;
    this.#findings.ofEvent('actor-mismatch', recorded, detail);
  }

  /** May the stream lack events between its last one, at this revision, and this one? */
  #mayLack(recorded: Recorded, last: number): boolean {
    const { streamId } = recorded;
    const category = categoryOf(streamId);
    if (!aging.has(category)) return shortened.has(category);
    const mayLack = last < 0 || this.#aged.has(streamId);
    if (timeOf(recorded) < this.#keptSince) this.#aged.add(streamId);
    else this.#aged.delete(streamId);
    return mayLack;
  }
}
