import type { Recorded } from '../../domain/shared/event.ts';
import { categoryOf } from './check.ts';
import { CompactIds } from './compact-ids.ts';
import type { Findings } from './findings.ts';

/** Streams whose older events go away by a bound or with a deletion: their revisions only rise. */
const shortened: ReadonlySet<string> = new Set([
  'accountSnapshot',
  'keyring',
  'leasedAccounts',
  'personalKey',
  'process',
  'relay',
]);

const actorKinds: ReadonlySet<unknown> = new Set(['user', 'admin', 'system', 'relay', 'payment']);

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The field that the metadata of an event lacks; null when it has all. */
const metadataProblem = ({ metadata }: Recorded): string | null => {
  if (typeof metadata !== 'object' || metadata === null) return 'no metadata at all';
  const { actor, correlationId, causationId, commandId, occurredAt } = metadata;
  if (typeof actor !== 'object' || actor === null) return 'no actor is named';
  if (!actorKinds.has(actor.kind)) return `an actor of the unknown kind ${String(actor.kind)}`;
  if (!isText(actor.id)) return 'the actor has no id';
  if (!isText(correlationId) || !isText(causationId)) return 'no cause is named';
  if (!isText(commandId)) return 'no command is named';
  return Number.isNaN(Date.parse(occurredAt)) ? 'no time of the event' : null;
};

/**
 * The log itself: no event id twice, no gap in a stream, every event names its actor and its cause. Remembers
 * each event id and the last revision of each stream.
 */
export class LogCheck {
  readonly #findings: Findings;
  readonly #ids = new CompactIds({ amounts: false });
  readonly #revisions = new Map<string, number>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  has(eventId: string): boolean {
    return this.#ids.markOf(eventId) !== 0;
  }

  /** An unreadable event is no gap in its stream: it is a break of its own. */
  leaveOut({ streamId, revision }: Pick<Recorded, 'streamId' | 'revision'>): void {
    this.#revisions.set(streamId, Number(revision));
  }

  see(recorded: Recorded): void {
    const { eventId, streamId } = recorded;
    if (this.#ids.mark(eventId, 1) !== 0) {
      this.#findings.ofEvent('event-twice', recorded, 'an event of this id stands further back');
    }
    const problem = metadataProblem(recorded);
    if (problem !== null) this.#findings.ofEvent('metadata-missing', recorded, problem);
    const last = this.#revisions.get(streamId) ?? -1;
    const revision = Number(recorded.revision);
    const fits = shortened.has(categoryOf(streamId)) ? revision > last : revision === last + 1;
    if (!fits) {
      const detail = `revision ${revision} follows ${last < 0 ? 'nothing' : `revision ${last}`}`;
      this.#findings.ofEvent('revision-gap', recorded, detail);
    }
    this.#revisions.set(streamId, revision);
  }
}
