import { randomUUID } from 'node:crypto';
import { evolveAccount } from '../../../domain/account/decider-evolve.ts';
import type { AccountEvent } from '../../../domain/account/events.ts';
import { takeSnapshot } from '../../../domain/account/snapshot.ts';
import { type AccountState, createAccountState } from '../../../domain/account/state.ts';
import type { Event, Metadata, Recorded } from '../../../domain/shared/event.ts';
import type { EventStore } from '../../../infra/ports/event-store.ts';
import type { MemoryEventStore } from '../../support/memory-event-store.ts';
import { aMetadata } from '../../support/metadata-examples.ts';
import { aCallsRefused, aRefusal } from '../../support/refusal-examples.ts';
import { aTokenCreated } from '../../support/token-examples.ts';
import { type StoryIds, tellCleanStory } from './clean-story.ts';
import { tellWhole } from './whole-story.ts';

export const operator: Partial<Metadata> = { actor: { kind: 'admin', id: '1', ip: '192.0.2.1' } };

/** What only relays record. */
const relayed: ReadonlySet<string> = new Set(['RequestCharged', 'CallsRefused']);
const relay: Partial<Metadata> = { actor: { kind: 'relay', id: 'relay-a' } };

/** More of what an operator does, a second charge of the lease's account, and a snapshot. */
const tellMore = async (eventStore: EventStore, story: StoryIds): Promise<StoryIds> => {
  const all: Record<string, string> = { ...story };
  const tell = async (name: string, streamId: string, event: Event): Promise<void> => {
    const eventId = randomUUID();
    all[name] = eventId;
    const metadata = aMetadata(relayed.has(event.type) ? relay : operator);
    await eventStore.append(streamId, [{ event, eventId, metadata }], 'any');
  };
  const settings = {
    notifyType: 'email',
    quotaWarningThreshold: 0,
    webhookUrl: '',
    webhookSecret: null,
    notificationEmail: null,
    acceptUnsetModelRatioModel: true,
  };
  const wrapped = { purpose: 'relay', version: 1, keyId: 'k1', wrapped: 'wrapped:key' };
  await tell('keyring', 'keyring', {
    type: 'KeyringWritten',
    data: { salt: 'salt', keys: [{ ...wrapped, createdAt: '2026-03-01T08:00:00.000Z' }] },
  });
  await tell('group', 'user-42', {
    type: 'UserGroupChanged',
    data: { userId: 42, group: 'vip', previous: 'default' },
  });
  await tell('settings', 'user-42', {
    type: 'UserSettingsChanged',
    data: { userId: 42, settings },
  });
  const token = aTokenCreated();
  const keyHash = 'b'.repeat(64);
  const second = { ...token.data, tokenId: 8, userId: 42, keyHash };
  await tell('second-token', 'token-8', { ...token, data: second });
  await tell('disabled', 'token-8', {
    type: 'TokenDisabled',
    data: { tokenId: 8, userId: 42, keyHash },
  });
  const { balance } = await accountOf(eventStore, 42);
  await tellWhole(tell, balance);
  const state = await accountOf(eventStore, 42);
  const commands = { traces: [], forgottenUntil: null };
  await tell('snapshot', 'accountSnapshot-42', {
    type: 'AccountSnapshotTaken',
    data: takeSnapshot(42, state, commands),
  });
  await tell('refused', 'refusals-relay-a', aCallsRefused(aRefusal()));
  await tell('process', 'process-grants', {
    type: 'ProcessAdvanced',
    data: { name: 'grants', position: '10' },
  });
  return all;
};
const accountOf = async (eventStore: EventStore, userId: number): Promise<AccountState> => {
  let state = createAccountState();
  for await (const { event } of eventStore.readStream<AccountEvent>(`account-${userId}`)) {
    state = evolveAccount(state, event);
  }
  return state;
};

type Data = Record<string, unknown>;

/** A story, and what changes the log that holds it as the store itself never does. */
export const createTampering = () => {
  let ids: StoryIds = {};
  let untouched: readonly Recorded[] = [];
  let log = (): Recorded[] => [];
  const tell = async (eventStore: MemoryEventStore): Promise<void> => {
    ids = await tellMore(eventStore, await tellCleanStory(eventStore));
    untouched = [...eventStore.all];
    log = () => eventStore.all as Recorded[];
  };
  const indexOf = (name: string): number => log().findIndex(({ eventId }) => eventId === ids[name]);
  const eventOf = (name: string): Recorded => {
    const found = log()[indexOf(name)];
    if (found === undefined) throw new Error(`the story has no ${name}`);
    return found;
  };

  /** Other data in the same event. */
  const data = (name: string, changes: Data | ((now: Data) => Data)) => (): void => {
    const recorded = eventOf(name);
    const now = recorded.event.data as Data;
    const next = typeof changes === 'function' ? changes(now) : { ...now, ...changes };
    log()[indexOf(name)] = { ...recorded, event: { ...recorded.event, data: next } };
  };
  const metadata =
    (name: string, changes: Partial<Record<keyof Metadata, unknown>>) => (): void => {
      const recorded = eventOf(name);
      const next = { ...recorded.metadata, ...changes } as Metadata;
      log()[indexOf(name)] = { ...recorded, metadata: next };
    };
  const nested = (name: string, member: string, changes: Data) => (): void =>
    data(name, (now) => ({ ...now, [member]: { ...(now[member] as Data), ...changes } }))();
  const number = (name: string, field: string, by = 1) =>
    data(name, (now) => ({ ...now, [field]: Number(now[field]) + by }));

  /** A skilled forger leaves no gap in the stream. */
  const remove = (name: string) => (): void => {
    const { streamId, revision } = eventOf(name);
    log().splice(indexOf(name), 1);
    for (const [index, recorded] of log().entries()) {
      if (recorded.streamId !== streamId || recorded.revision < revision) continue;
      log()[index] = { ...recorded, revision: recorded.revision - 1n };
    }
  };
  const removeWithGap = (name: string) => (): void => {
    log().splice(indexOf(name), 1);
  };
  /** One more event at the end of a stream and of the log. */
  const append =
    (like: string, changes: Partial<Recorded> = {}) =>
    (): void => {
      const model = eventOf(like);
      const inStream = log().filter(({ streamId }) => streamId === model.streamId);
      const position = (log().at(-1)?.position ?? 0n) + 10n;
      const revision = BigInt(inStream.length);
      log().push({ ...model, eventId: randomUUID(), revision, position, ...changes });
    };

  const eventIdOf = (name: string): Partial<Recorded> => ({ eventId: eventOf(name).eventId });
  const forged = (name: string, changes: Data): Partial<Recorded> => {
    const { event } = eventOf(name);
    return { event: { ...event, data: { ...(event.data as Data), ...changes } } };
  };
  const swap = (left: string, right: string): void => {
    const [first, second] = [eventOf(left), eventOf(right)];
    const [from, to] = [indexOf(left), indexOf(right)];
    log()[from] = { ...second, position: first.position };
    log()[to] = { ...first, position: second.position };
  };

  const restore = (): void => {
    log().splice(0, log().length, ...untouched);
  };
  const nameOf = (eventId: string | null): string | undefined =>
    Object.entries(ids).find(([, id]) => id === eventId)?.[0];
  return {
    tell,
    data,
    metadata,
    nested,
    number,
    remove,
    removeWithGap,
    append,
    swap,
    forged,
    eventOf,
    eventIdOf,
    restore,
    nameOf,
  };
};
