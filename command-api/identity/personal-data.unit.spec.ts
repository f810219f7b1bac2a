import { beforeEach, expect, test } from 'vitest';
import type { Actor, Event, Recorded } from '../../domain/shared/event.ts';
import type { WithPersonal } from '../../domain/shared/personal.ts';
import { emptyReport } from '../../domain/task/report.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { aCall } from '../../tests/support/account-examples.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { aTaskAccepted, aTaskFailed, aTaskSubmitted } from '../../tests/support/task-examples.ts';
import { aTokenChanged, aTokenCreated, someTerms } from '../../tests/support/token-examples.ts';
import { aUserRegistered } from '../../tests/support/user-examples.ts';
import { vaultOf } from '../../tests/support/vault.ts';
import { withSealedPersonalData } from './personal-data.ts';
import { createPersonalKeys, type PersonalKeys } from './personal-keys.ts';

const vault = vaultOf('personal-data');
const ada = 42;
const nobody: Actor = { kind: 'user', id: '0' };

let log: MemoryEventStore;
let personalKeys: PersonalKeys;
let store: EventStore;

beforeEach(async () => {
  log = createMemoryEventStore();
  personalKeys = createPersonalKeys(log, vault);
  store = withSealedPersonalData(log, { personalKeys, vault });
  await personalKeys.create(ada, aMetadata({ actor: { ...nobody, ip: '198.51.100.77' } }));
});

const tell = (event: Event, actor: Actor = { kind: 'system', id: 'test' }, stream = 'some-1') =>
  store.append(
    stream,
    [{ event, eventId: crypto.randomUUID(), metadata: aMetadata({ actor }) }],
    'any',
  );
const newest = (): Recorded => {
  const recorded = log.all.at(-1);
  if (recorded === undefined) throw new Error('nothing was written');
  return recorded;
};
const readBack = async (stream = 'some-1'): Promise<Event[]> => {
  const events: Event[] = [];
  for await (const { event } of store.readStream(stream)) events.push(event);
  return events;
};

const settings = {
  notifyType: 'webhook',
  quotaWarningThreshold: 0,
  webhookUrl: 'https://hooks.example/lovelace',
  webhookSecret: null,
  notificationEmail: null,
  acceptUnsetModelRatioModel: false,
} as const;
const ofAda = { name: 'lovelace at work', allowIps: ['203.0.113.9'] };
const report = {
  ...emptyReport,
  status: 'SUCCESS',
  progress: '100%',
  promptEn: 'lovelace before her garden',
  imageUrl: 'https://pictures.example/lovelace.png',
  buttons: '[{"customId":"lovelace"}]',
  failReason: 'lovelace is not allowed',
};

const telling: readonly (readonly [string, Event])[] = [
  ['a registration', aUserRegistered({ username: 'lovelace' })],
  [
    'another name',
    {
      type: 'UserProfileChanged',
      data: { userId: ada, username: 'lovelace-two', displayName: 'v1.a.b.c' },
    },
  ],
  ['where notices go', { type: 'UserSettingsChanged', data: { userId: ada, settings } }],
  ['a token', aTokenCreated(ofAda)],
  ['other terms', aTokenChanged({ terms: someTerms(ofAda), previous: someTerms(ofAda) })],
  ['a drawing', aTaskSubmitted({ prompt: 'lovelace in her garden', state: 'for lovelace' })],
  [
    'its acceptance',
    aTaskAccepted({ description: 'lovelace waits', properties: '{"lovelace":1}' }),
  ],
  ['its progress', { type: 'TaskProgressed', data: { taskId: 't', userId: ada, report } }],
  ['its end', { type: 'TaskSucceeded', data: { taskId: 't', userId: ada, report } }],
  ['its failure', aTaskFailed({ reason: 'lovelace is banned', report })],
];

test.each(telling)('%s is read back as it was, and the log holds none of it', async (_, event) => {
  await tell(event);
  expect(JSON.stringify(newest().event)).not.toMatch(/lovelace|203\.0\.113/);
  expect(await readBack()).toEqual([event]);
});

test.each(telling)('%s contains nothing readable once the person has left', async (_, event) => {
  await tell(event);
  await personalKeys.destroy(ada);
  const [left] = await readBack();
  expect(JSON.stringify(left)).not.toMatch(/lovelace|203\.0\.113/);
  expect(left?.type).toBe(event.type);
});

test('what providers report of a failed call is sealed, and streams of errors are not opened', async () => {
  const data = { userId: ada, call: aCall(), statusCode: 400, errorType: 'a', errorCode: 'b' };
  await tell({ type: 'RequestFailed', data: { ...data, message: 'cannot draw lovelace' } });
  expect(newest().event.data).toEqual({ ...data, message: '', personal: expect.any(String) });
  const seal = await personalKeys.get(ada);
  const { personal = '' } = newest().event.data as WithPersonal;
  expect(JSON.parse(seal?.unseal(personal, 'event') ?? '')).toEqual({
    message: 'cannot draw lovelace',
  });
  expect(await readBack()).toEqual([newest().event]);
});

test('acts of a deleted person are recorded without their texts', async () => {
  await personalKeys.destroy(ada);
  await tell(aTaskSubmitted({ prompt: 'ada in her garden' }));
  expect(newest().event).toEqual(aTaskSubmitted({ prompt: '' }));
});

test('charges pass unchanged, without a look-up of any key', async () => {
  const reads = log.reads;
  await tell(aRequestCharged());
  expect(newest().event).toEqual(aRequestCharged());
  expect(log.reads).toBe(reads);
});

test('an address is sealed under the key of the person who acts', async () => {
  const other = await personalKeys.create(7, aMetadata());
  await tell(aTokenCreated(), { kind: 'admin', id: '7', ip: '203.0.113.9' });
  const { sealedIp = '', ...actor } = newest().metadata.actor;
  expect(actor).toEqual({ kind: 'admin', id: '7' });
  expect(other.unseal(sealedIp, 'ip')).toBe('203.0.113.9');
});

test('the address of a registration is sealed for the new person', async () => {
  await tell(aUserRegistered(), { ...nobody, ip: '203.0.113.9' });
  const { sealedIp = '' } = newest().metadata.actor;
  expect((await personalKeys.get(ada))?.unseal(sealedIp, 'ip')).toBe('203.0.113.9');
  const made = log.all.find(({ event }) => event.type === 'PersonalKeyCreated');
  expect(made?.metadata.actor).toEqual(nobody);
});

test('an address without a person leaves a mark, the same for the same address', async () => {
  const marks: (string | undefined)[] = [];
  for (const ip of ['203.0.113.9', '203.0.113.9', '203.0.113.10']) {
    await tell({ type: 'ValueClaimed', data: { kind: 'username' } }, { ...nobody, ip });
    const { ipMark, ...actor } = newest().metadata.actor;
    expect(actor).toEqual(nobody);
    marks.push(ipMark);
  }
  expect(marks[0]).toMatch(/^[0-9a-f]{6}$/);
  expect(marks[1]).toBe(marks[0]);
  expect(marks[2]).not.toBe(marks[0]);
});
