import { personalPathsOf } from '../../domain/personal-fields.ts';
import type { Actor, Event, Recorded } from '../../domain/shared/event.ts';
import {
  actingPerson,
  type PersonalTexts,
  putTexts,
  subjectOf,
  takeTexts,
  type WithPersonal,
} from '../../domain/shared/personal.ts';
import type { EventStore, EventToAppend } from '../../infra/ports/event-store.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { PersonalKeys } from './personal-keys.ts';

type Needs = Readonly<{ personalKeys: Pick<PersonalKeys, 'get'>; vault: Vault }>;
type Members = Readonly<Record<string, unknown>>;

const markLength = 6;

/** Errors of relays are many, and no decider folds them. */
const neverRead: ReadonlySet<string> = new Set(['RequestFailed']);

const sealedEvent = async (event: Event, { personalKeys }: Needs): Promise<Event> => {
  const paths = personalPathsOf(event.type);
  if (paths.length === 0) return event;
  const taken = takeTexts(event.data as Members, paths);
  if (taken === null) return event;
  const subject = subjectOf(event);
  const seal = subject === null ? null : await personalKeys.get(subject);
  // Without a key there is no person left to keep it for.
  if (seal === null) return { ...event, data: taken.data };
  const personal = seal.seal(JSON.stringify(taken.texts), 'event');
  return { ...event, data: { ...taken.data, personal } };
};

const sealedActor = async (
  { ip, ...actor }: Actor & Readonly<{ ip: string }>,
  person: number | null,
  { personalKeys, vault }: Needs,
): Promise<Actor> => {
  const seal = person === null ? null : await personalKeys.get(person);
  if (seal !== null) return { ...actor, sealedIp: seal.seal(ip, 'ip') };
  return { ...actor, ipMark: vault.claimHash('ip', ip).slice(0, markLength) };
};

const sealed = async (toAppend: EventToAppend, needs: Needs): Promise<EventToAppend> => {
  const { actor } = toAppend.metadata;
  const event = await sealedEvent(toAppend.event, needs);
  if (actor.ip === undefined) {
    return event === toAppend.event ? toAppend : { ...toAppend, event };
  }
  const known = { ...actor, ip: actor.ip };
  const hidden = await sealedActor(known, actingPerson(toAppend), needs);
  return { ...toAppend, event, metadata: { ...toAppend.metadata, actor: hidden } };
};

const opened = async <E extends Event>(
  recorded: Recorded<E>,
  { personalKeys }: Needs,
): Promise<Recorded<E>> => {
  const { event } = recorded;
  const { personal, ...data } = event.data as WithPersonal;
  if (personal === undefined) return recorded;
  const subject = subjectOf(event);
  const seal = subject === null ? null : await personalKeys.get(subject);
  const texts = seal === null ? {} : (JSON.parse(seal.unseal(personal, 'event')) as PersonalTexts);
  return { ...recorded, event: { ...event, data: putTexts(data, texts) } };
};

const isSealed = ({ event: { type, data } }: Recorded): boolean =>
  (data as WithPersonal).personal !== undefined && !neverRead.has(type);

const needsSealing = ({ event, metadata }: EventToAppend): boolean =>
  metadata.actor.ip !== undefined || personalPathsOf(event.type).length > 0;

/**
 * The log as the write side uses it: what events contain about people is sealed under their own
 * keys on append, and opened when a stream is read. Deciders fold and decide in the clear, and no
 * event can leave a name or an address in the log by accident. Subscriptions are passed on
 * unchanged.
 */
export const withSealedPersonalData = (eventStore: EventStore, needs: Needs): EventStore => ({
  append: async (streamId, events, expectedRevision) => {
    // Charges arrive by the thousand and contain nothing to seal.
    if (!events.some(needsSealing)) return eventStore.append(streamId, events, expectedRevision);
    const hidden: EventToAppend[] = [];
    for (const event of events) hidden.push(await sealed(event, needs));
    return eventStore.append(streamId, hidden, expectedRevision);
  },
  async *readStream<E extends Event = Event>(
    streamId: string,
    options?: Parameters<EventStore['readStream']>[1],
  ): AsyncGenerator<Recorded<E>> {
    for await (const recorded of eventStore.readStream<E>(streamId, options)) {
      yield isSealed(recorded) ? await opened(recorded, needs) : recorded;
    }
  },
  readAll: (options) => eventStore.readAll(options),
  subscribeToAll: (options) => eventStore.subscribeToAll(options),
  head: () => eventStore.head(),
  boundStream: (streamId, bounds) => eventStore.boundStream(streamId, bounds),
  tombstoneStream: (streamId) => eventStore.tombstoneStream(streamId),
  close: () => eventStore.close(),
});
