import { afterEach, describe, expect, test } from 'vitest';
import { withSealedPersonalData } from '../command-api/identity/personal-data.ts';
import { createPersonalKeys } from '../command-api/identity/personal-keys.ts';
import type { Actor, Event } from '../domain/shared/event.ts';
import { emailField } from '../domain/shared/sealed.ts';
import type { FindTasks, FoundTasks } from '../domain/task/messages.ts';
import { emptyReport } from '../domain/task/report.ts';
import {
  anAccountOpened,
  aQuotaGranted,
  aRequestCharged,
} from '../tests/support/account-events.ts';
import { aCall } from '../tests/support/account-examples.ts';
import { aMetadata } from '../tests/support/metadata-examples.ts';
import { type ReadApi, startReadApi } from '../tests/support/read-api.ts';
import { type ReadSide, readModels, testVault } from '../tests/support/read-side.ts';
import { aLoginOf, signedIn } from '../tests/support/read-side-story.ts';
import { silentLogger } from '../tests/support/silent-logger.ts';
import { aSiteInitialised } from '../tests/support/site-examples.ts';
import { aTaskAccepted, aTaskFailed, aTaskSubmitted } from '../tests/support/task-examples.ts';
import { aTokenChanged, aTokenCreated, someTerms } from '../tests/support/token-examples.ts';
import { aUserDeleted, aUserRegistered } from '../tests/support/user-examples.ts';
import { createReclaim } from './reclaim.ts';

const root = 1;
const eve = 42;
/** What eve leaves behind, each a word that occurs nowhere else. */
const traces = {
  name: 'evelyn-name',
  address: '203.0.113.77',
  mailbox: 'evelyn-mail@example.org',
  display: 'Evelyn-Display',
  token: 'evelyn-token',
  listed: '198.51.100.88',
  prompt: 'evelyn-prompt',
  english: 'evelyn-english',
  picture: 'https://pictures.example/evelyn.png',
  refusal: 'evelyn-refusal',
  message: 'evelyn-message',
  webhook: 'https://hooks.example/evelyn',
} as const;
const byEve: Actor = { kind: 'user', id: String(eve), ip: traces.address };
const byNobody: Actor = { kind: 'user', id: '0', ip: traces.address };
const byRoot: Actor = { kind: 'admin', id: String(root), ip: '192.0.2.1' };
const byRelay: Actor = { kind: 'relay', id: 'relay-a' };

const laptop = someTerms({ name: traces.token, allowIps: [traces.listed] });
const second = someTerms({ name: `${traces.token}-2`, allowIps: [] });
const report = {
  ...emptyReport,
  status: 'FAILURE',
  progress: '100%',
  promptEn: traces.english,
  imageUrl: traces.picture,
  failReason: traces.refusal,
};
const failedCall = {
  userId: eve,
  call: aCall({ requestId: 'req-failed', tokenId: 7 }),
  statusCode: 400,
  errorType: 'upstream_error',
  errorCode: 'refused',
  message: traces.message,
};
const settings = {
  notifyType: 'webhook',
  quotaWarningThreshold: 0,
  webhookUrl: traces.webhook,
  webhookSecret: null,
  notificationEmail: null,
  acceptUnsetModelRatioModel: false,
} as const;

type Entry = readonly [stream: string, actor: Actor, event: Event];
const story = (display: string, mailbox: string): readonly Entry[] => [
  [
    'user-42',
    byNobody,
    aUserRegistered({ username: traces.name, displayName: display, email: mailbox }),
  ],
  ['user-42', byEve, { type: 'UserSettingsChanged', data: { userId: eve, settings } }],
  [
    'user-42',
    byRoot,
    { type: 'UserGroupChanged', data: { userId: eve, group: 'vip', previous: 'default' } },
  ],
  ['token-7', byEve, { ...aTokenCreated(), data: { ...aTokenCreated().data, terms: laptop } }],
  ['account-42', byRelay, anAccountOpened()],
  ['account-42', byRoot, aQuotaGranted()],
  ['account-42', byRelay, aRequestCharged()],
  ['relay-a', byRelay, { type: 'RequestFailed', data: failedCall }],
  ['task-1', byRelay, aTaskSubmitted({ prompt: traces.prompt })],
  ['task-1', byRelay, aTaskAccepted()],
  ['task-1', byRelay, aTaskFailed({ reason: traces.refusal, report })],
  ['token-7', byEve, aTokenChanged({ terms: second, previous: laptop })],
];

const appendStory = async (side: ReadSide) => {
  const log = side.eventStore;
  const personalKeys = createPersonalKeys(log, testVault);
  const sealed = withSealedPersonalData(log, { personalKeys, vault: testVault });
  const append = (stream: string, actor: Actor, event: Event) =>
    sealed.append(
      stream,
      [{ event, eventId: crypto.randomUUID(), metadata: aMetadata({ actor }) }],
      'any',
    );
  await append('site', { kind: 'system', id: 'setup' }, aSiteInitialised());
  const seals = await personalKeys.create(root, aMetadata());
  await append(
    'user-1',
    byRoot,
    aUserRegistered({
      userId: root,
      username: 'root',
      role: 100,
      displayName: seals.seal('Root', 'display-name'),
    }),
  );
  await append('user-1', byRoot, aLoginOf(root));
  const { seal } = await personalKeys.create(eve, aMetadata());
  for (const entry of story(seal(traces.display, 'display-name'), seal(traces.mailbox, emailField)))
    await append(...entry);
};

let api: ReadApi;
afterEach(() => api.stop());

const answersOf = async (): Promise<string> => {
  const urls = [
    '/api/user/?p=1',
    '/api/log/?p=1&page_size=100',
    '/api/audit?p=1&page_size=100',
    '/api/ledger/42?p=1&page_size=100',
    '/api/mj/?p=0',
  ];
  const bodies = await Promise.all(urls.map((url) => api.get(url, signedIn(root))));
  return JSON.stringify(bodies.map(({ body }) => body));
};

/** Every row of every table, as text. */
const everyRow = async (): Promise<string> => {
  const tables = await api.side.rows<{ name: string }>(
    "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables " +
      "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await api.side.rows<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    found.push(...rows.map(({ row }) => row));
  }
  return found.join('\n');
};

const leave = async (): Promise<void> => {
  await api.side.append('user-42', [aUserDeleted(), { actor: byRoot }]);
  await api.side.settle();
};

describe('events', () => {
  test('show an existing person by name, with their texts and origin', async () => {
    api = await startReadApi(appendStory);
    const shown = await answersOf();
    // Pictures are shown under our own address.
    const { picture: _, ...words } = traces;
    for (const word of Object.values(words)) expect(shown).toContain(word);
  });

  test('leave nothing of a person who has left, in no answer and in no row', async () => {
    api = await startReadApi(appendStory);
    await leave();
    const shown = await answersOf();
    const rows = await everyRow();
    for (const word of Object.values(traces)) {
      expect(shown).not.toContain(word);
      expect(rows).not.toContain(word);
    }
    expect(shown).toContain('"username":"deleted user #42"');
    expect(shown).toContain('"name":"deleted user #42"');
    expect(rows).toContain('req-failed');
  });

  test('leave nothing after all read models were rebuilt', async () => {
    api = await startReadApi(appendStory);
    await leave();
    for (const name of readModels) await api.side.projections.rebuild(name, () => {});
    const rows = await everyRow();
    for (const word of Object.values(traces)) expect(rows).not.toContain(word);
  });
});

test('words and addresses are sealed in every row but those that people search by', async () => {
  api = await startReadApi(appendStory);
  const rows = await everyRow();
  const { name, mailbox, display, token, webhook, ...others } = traces;
  for (const word of [name, mailbox, display, token, webhook]) expect(rows).toContain(word);
  for (const word of Object.values(others)) expect(rows).not.toContain(word);
});

test('the trail shows what became of the terms of a token, and from where', async () => {
  api = await startReadApi(appendStory);
  const { body } = await api.get('/api/audit?type=TokenChanged', signedIn(root));
  expect(body.data.items).toMatchObject([
    {
      ip: traces.address,
      actor: { name: traces.name },
      subject: { kind: 'token', name: `${traces.token}-2` },
      changes: [
        { field: 'name', before: traces.token, after: `${traces.token}-2` },
        { field: 'allowIps', before: [traces.listed], after: [] },
      ],
    },
  ]);
  const registered = await api.get('/api/audit?type=UserRegistered&subject_id=42', signedIn(root));
  expect(registered.body.data.items).toMatchObject([
    { ip: traces.address, subject: { name: traces.name } },
  ]);
});

test('the log is searched by names of people and of tokens, and by what is left of them', async () => {
  api = await startReadApi(appendStory);
  const found = async (query: string): Promise<number> => {
    const { body } = await api.get(`/api/log/?p=1&page_size=10&${query}`, signedIn(root));
    return body.data.total;
  };
  const calls = await found(`username=${traces.name}`);
  expect(calls).toBeGreaterThan(1);
  expect(await found('username=unknown')).toBe(0);
  expect(await found(`token_name=${traces.token}-2`)).toBe(2);
  expect(await found(`token_name=${traces.token}-2&username=root`)).toBe(0);
  await leave();
  expect(await found(`username=${traces.name}`)).toBe(0);
  expect(await found(`token_name=${traces.token}-2`)).toBe(0);
  // One entry more: that of the deletion itself.
  expect(await found('username=deleted%20user%20%2342')).toBe(calls + 1);
});

test('tables are vacuumed some moments after a user was deleted', async () => {
  api = await startReadApi(appendStory);
  await leave();
  const vacuums = async (): Promise<number> => {
    const [row] = await api.side.rows<{ count: number }>(
      'SELECT sum(vacuum_count)::int4 AS count FROM pg_stat_user_tables ' +
        "WHERE schemaname = 'user_list' AND relname IN ('users', 'personal_keys')",
    );
    return row?.count ?? 0;
  };
  const before = await vacuums();
  const { db } = api.side.database;
  const reclaim = createReclaim({ db, logger: silentLogger, afterMs: 10 });
  reclaim.soon();
  await expect.poll(vacuums, { timeout: 20_000 }).toBe(before + 2);
  await reclaim.stop();
});

test('relays receive the texts of tasks, until their user is deleted', async () => {
  api = await startReadApi(appendStory);
  const ask = async (): Promise<string> => {
    const asked: FindTasks = { platform: 'mj', userId: null, upstreamIds: ['mj-1'] };
    const { tasks } = await api.side.bus.request<FindTasks, FoundTasks>('task.find', asked);
    expect(tasks).toHaveLength(1);
    return JSON.stringify(tasks);
  };
  expect(await ask()).toContain(traces.prompt);
  await leave();
  expect(await ask()).not.toContain(traces.prompt);
});

test('relays drop the tokens of a deleted person, and their addresses', async () => {
  api = await startReadApi(appendStory);
  const fed = () => api.side.bus.feed<object>('tokens').get('sha256-of-abc');
  expect((await fed())?.value).toMatchObject({ tokenId: 7 });
  await leave();
  expect((await fed())?.value).toBeNull();
});
