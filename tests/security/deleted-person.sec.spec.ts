import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addChannel, addToken, ConsoleClient, setUpSite } from '../support/console-client.ts';
import { type LantuStub, startLantuStub } from '../support/lantu-stub.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { findNatsServer, type NatsServer } from '../support/nats-server.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { runTool } from '../support/run-tool.ts';
import {
  searchDatabase,
  searchFolder,
  searchJetStream,
  type Words,
} from '../support/stored-bytes.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

/** What one person leaves behind. Each word occurs nowhere else. */
const traces = {
  username: 'zephyrine77',
  'later username': 'zephyrine88',
  'display name': 'Zephyrine Quill',
  'name given by an administrator': 'Zephyrine by root',
  mailbox: 'zephyrine.mail@quux.example.com',
  'notification mailbox': 'zephyrine.alerts@quux.example.com',
  address: '203.0.113.201',
  'address of the API client': '198.51.100.202',
  'allowed address': '192.0.2.203',
  'user agent': 'ZephyrineBrowser/9.9',
  token: 'zephyrine laptop',
  'later token': 'zephyrine desk',
  prompt: 'a garden for zephyrine at noon',
  'prompt that fails': 'a zephyrine that will fail',
  song: 'zephyrine sings',
  question: 'what would zephyrine ask',
  'refusal of a provider': 'zephyrine is not answered',
  webhook: 'https://hooks.zephyrine.example/notify',
  'webhook secret': 'zephyrine-webhook-secret',
} as const satisfies Words;
const password = 'lost-in-Wonder-77';

const nats = await findNatsServer();
let bus: NatsServer | null = null;
let product: Product;
const besides = (name: string, options: readonly string[] = []) =>
  runTool(name, options, { DATA_DIR: product.dataDir });
let mails: MailServer;
let provider: StubProvider;
let payments: LantuStub;
let root: ConsoleClient;
let userId = 0;
let wrappedKey = '';
let logOfProcesses = '';

type Site = Readonly<{ databaseUrl: string }>;
const readModels = (): string =>
  (JSON.parse(readFileSync(join(product.dataDir, 'run.json'), 'utf8')) as Site).databaseUrl;
const eventStore = (): string => {
  const url = new URL(readModels());
  url.pathname = '/event_store';
  return url.toString();
};
const isGone = async (search: Promise<readonly string[]>): Promise<void> =>
  expect(await search).toEqual([]);

/** Everything that a person can do who leaves words behind. */
const live = async (): Promise<ConsoleClient> => {
  const browser = {
    'user-agent': traces['user agent'],
    'x-forwarded-for': traces.address,
  };
  const person = new ConsoleClient(product.url, browser);
  await person.ok('GET', `/api/verification?email=${encodeURIComponent(traces.mailbox)}`);
  const code = /<strong>([0-9a-f]{6})<\/strong>/.exec(mails.received.at(-1)?.text ?? '')?.[1];
  await person.ok('POST', '/api/user/register', {
    username: traces.username,
    password,
    email: traces.mailbox,
    verification_code: code,
  });
  await person.login(traces.mailbox, password);
  await person.ok('PUT', '/api/user/self', {
    username: traces['later username'],
    display_name: traces['display name'],
  });
  const limits = { quota_warning_threshold: 1 };
  await person.ok('PUT', '/api/user/setting', {
    ...limits,
    notify_type: 'email',
    notification_email: traces['notification mailbox'],
  });
  await person.ok('PUT', '/api/user/setting', {
    ...limits,
    notify_type: 'webhook',
    webhook_url: traces.webhook,
    webhook_secret: traces['webhook secret'],
  });
  await new ConsoleClient(product.url, browser).call('POST', '/api/user/login', {
    username: traces['later username'],
    password: 'not this one',
  });
  return person;
};

const topUp = async (person: ConsoleClient): Promise<void> => {
  const before = [...payments.orders.keys()].length;
  await person.ok('POST', '/api/user/pay_lantu', { amount: 15 });
  const tradeNo = [...payments.orders.keys()][before] ?? '';
  await payments.payAndNotify(tradeNo);
};

const call = async (key: string, path: string, body: object): Promise<number> => {
  const answer = await fetch(`${product.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer sk-${key}`,
      'content-type': 'application/json',
      'user-agent': traces['user agent'],
      'x-forwarded-for': traces['address of the API client'],
    },
    body: JSON.stringify(body),
  });
  await answer.text();
  return answer.status;
};

const work = async (person: ConsoleClient): Promise<void> => {
  const addresses = `${traces['address of the API client']}\n${traces['allowed address']}`;
  const token = await addToken(person, { name: traces.token, allow_ips: addresses });
  const messages = [{ role: 'user', content: traces.question }];
  const chat = { model: 'gpt-4o-mini', messages };
  expect(await call(token.key, '/v1/chat/completions', chat)).toBe(200);
  const refused = { status: 400, message: traces['refusal of a provider'] };
  expect(await call(token.key, '/v1/chat/completions', { ...chat, stub: refused })).toBe(400);
  for (const prompt of [traces.prompt, traces['prompt that fails']]) {
    expect(await call(token.key, '/mj/submit/imagine', { prompt, state: traces.prompt })).toBe(200);
  }
  const song = { gpt_description_prompt: traces.song };
  expect(await call(token.key, '/suno/submit/music', song)).toBe(200);
  await eventually(async () => {
    await root.call('POST', '/api/jobs/task-polling/run', {});
    const drawings = await person.ok<readonly { progress: string }[]>('GET', '/api/mj/self?p=0');
    expect(drawings.map(({ progress }) => progress)).toEqual(['100%', '100%']);
  });
  await person.ok('PUT', '/api/token/', {
    id: token.id,
    name: traces['later token'],
    allow_ips: traces['allowed address'],
    unlimited_quota: true,
    expired_time: -1,
  });
};

beforeAll(async () => {
  bus = nats.start === null ? null : await nats.start();
  mails = await startMailServer();
  provider = await startStubProvider();
  payments = await startLantuStub();
  product = await startProduct({
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'debug',
      ...(bus === null ? {} : { NATS_URL: bus.url }),
    },
  });
  root = await setUpSite(product.url);
  const options = {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mails.port),
    SMTPAccount: 'desk@tollgate.test',
    SMTPToken: 'postbox-secret',
    EmailVerificationEnabled: 'true',
    ServerAddress: product.url,
    LantuApiUrl: payments.url,
    LantuMchId: payments.merchantId,
    LantuSecretKey: payments.secret,
    QuotaForNewUser: '5000000',
  };
  for (const [key, value] of Object.entries(options)) {
    await root.ok('PUT', '/api/option/', { key, value });
  }
  await addChannel(root, provider.url);
  const drawings = { type: 2, name: 'drawings', key: 'mj-key', models: 'mj_imagine' };
  await addChannel(root, provider.url, drawings);
  const music = { type: 36, name: 'music', key: 'key', models: 'suno_music' };
  await addChannel(root, provider.url, music);

  const person = await live();
  userId = person.userId;
  await topUp(person);
  await work(person);
  await root.ok('PUT', '/api/user/', {
    id: userId,
    display_name: traces['name given by an administrator'],
    group: 'vip',
    quota: 9_000_000,
  });
}, 240_000);
afterAll(async () => {
  await product?.stop();
  await bus?.stop();
  await Promise.all([mails?.close(), provider?.close(), payments?.close()]);
  if (product !== undefined) removeData(product);
});

test('an existing person is shown, and the event store holds no word of theirs', async () => {
  const { items } = await root.ok<{ items: unknown[] }>(
    'GET',
    `/api/user/search?keyword=${encodeURIComponent('zephyrine.mail')}`,
  );
  expect(items).toMatchObject([{ id: userId, username: traces['later username'] }]);
  const shown = JSON.stringify([
    await root.ok('GET', '/api/audit?p=1&page_size=200'),
    await root.ok('GET', '/api/log/?p=1&page_size=200'),
    await root.ok('GET', '/api/mj/?p=0'),
  ]);
  for (const word of [
    'later username',
    'address',
    'later token',
    'prompt',
    'refusal of a provider',
  ] as const) {
    expect(shown).toContain(traces[word]);
  }
  await isGone(searchDatabase(eventStore(), traces));
  if (bus !== null) {
    // Relays check the addresses of callers, so they receive the addresses that a token allows.
    const { 'allowed address': _, ...words } = traces;
    await isGone(searchJetStream(bus.url, words));
  }
});

test('the read models hold in the clear what administrators search by, and addresses of tokens', async () => {
  const found = await searchDatabase(readModels(), traces);
  expect([...new Set(found.map((place) => place.split(': ')[0]))]).toEqual([
    'relay_feeds.tokens',
    'token_list.names',
    'token_list.tokens',
    'user_list.users',
  ]);
  // So that what is searched for below would be found.
  expect(searchFolder(product.dataDir, { username: traces['later username'] })).not.toEqual([]);
});

test('verify finds no break before the deletion', async () => {
  const { code, stdout, stderr } = await besides('verify');
  const output = stdout + stderr;
  expect(output).not.toContain('break:');
  expect(code).toBe(0);
});

test('the deletion takes the key of the person out of the event store within moments', async () => {
  const client = new pg.Client({ connectionString: eventStore() });
  await client.connect();
  try {
    const keys = async (): Promise<string[]> => {
      const { rows } = await client.query<{ data: Buffer }>(
        `select data from events join streams on streams.id = stream_id
         where name = $1 and type = 'PersonalKeyCreated'`,
        [`personalKey-${userId}`],
      );
      return rows.map(({ data }) => JSON.parse(data.toString('utf8')).wrappedKey);
    };
    const vacuums = async (): Promise<number> => {
      const { rows } = await client.query<{ count: string }>(
        "select vacuum_count as count from pg_stat_user_tables where relname = 'events'",
      );
      return Number(rows[0]?.count);
    };
    [wrappedKey = ''] = await keys();
    expect(wrappedKey).toMatch(/^v\d\./);
    const before = await vacuums();
    await root.ok('POST', '/api/user/manage', { id: userId, action: 'delete' });
    await eventually(async () => expect(await keys()).toEqual([]), 30_000);
    await eventually(async () => expect(await vacuums()).toBeGreaterThan(before), 30_000);
    expect((await searchDatabase(eventStore(), { key: wrappedKey })).join()).toBe('');
    await eventually(() => isGone(searchDatabase(readModels(), { key: wrappedKey })), 30_000);
  } finally {
    await client.end();
  }
});

test('no table and no bucket holds a word of the person any more', async () => {
  const { 'allowed address': _, ...elsewhere } = traces;
  await isGone(searchDatabase(eventStore(), traces));
  await isGone(searchDatabase(readModels(), traces));
  if (bus !== null) {
    const { url } = bus;
    await eventually(() => isGone(searchJetStream(url, { ...elsewhere, ...traces })), 30_000);
  }
});

test('lists name the person by number, and their money is where it was', async () => {
  const users = await root.ok<{ items: object[] }>('GET', '/api/user/?p=1&page_size=50');
  expect(users.items).toContainEqual(
    expect.objectContaining({ id: userId, username: `deleted user #${userId}`, email: '' }),
  );
  type Entry = Readonly<{ kind: string; delta: number; balance_after: number }>;
  const { items, balance } = await root.ok<{ items: Entry[]; balance: number }>(
    'GET',
    `/api/ledger/${userId}?p=1&page_size=200`,
  );
  const kinds = new Set(items.map(({ kind }) => kind));
  for (const kind of ['QuotaGranted', 'RequestCharged', 'RequestRefunded', 'QuotaAdjusted']) {
    expect(kinds).toContain(kind);
  }
  expect(items.reduce((sum, { delta }) => sum + delta, 0)).toBe(balance);
  const named = encodeURIComponent(`deleted user #${userId}`);
  const { total } = await root.ok<{ total: number }>('GET', `/api/log/?p=1&username=${named}`);
  expect(total).toBeGreaterThan(3);
  const paid = await root.ok<{ items: object[] }>('GET', '/api/topup/?p=1&page_size=10');
  expect(paid.items).toContainEqual(
    expect.objectContaining({ user_id: userId, username: `deleted user #${userId}` }),
  );
});

test('verify finds no break after the deletion', async () => {
  const { code, stdout, stderr } = await besides('verify');
  const output = stdout + stderr;
  expect({ code, output }).toMatchObject({ code: 0 });
});

test('after a scavenge no byte of the data folder names the person, nor contains their key', async () => {
  const { code, stdout, stderr } = await besides('scavenge', ['--full']);
  const output = stdout + stderr;
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toContain('ended with Success');
  expect(await besides('verify')).toMatchObject({ code: 0 });
  await isGone(searchDatabase(eventStore(), { ...traces, key: wrappedKey }));
  await isGone(searchDatabase(readModels(), { ...traces, key: wrappedKey }));
  logOfProcesses = product.log();
  await product.stop();
  expect(searchFolder(product.dataDir, { ...traces, key: wrappedKey })).toEqual([]);
});

test('the output of the processes names no person', () => {
  expect(logOfProcesses).not.toBe('');
  const { question: _, ...words } = traces;
  for (const word of Object.values(words)) expect(logOfProcesses).not.toContain(word);
});

test('the site continues without the person, and their name stays taken', async () => {
  const { dataDir } = product;
  product = await startProduct({
    dataDir,
    env: { TRUSTED_PROXIES: '127.0.0.1', ...(bus === null ? {} : { NATS_URL: bus.url }) },
  });
  const again = new ConsoleClient(product.url);
  await again.login('root', 'correct-horse');
  const made = await again.call('POST', '/api/user/', { username: traces.username, password });
  expect(made).toMatchObject({ success: false, code: 'user.name-taken' });
  const login = { username: traces.mailbox, password };
  const entered = await new ConsoleClient(product.url).call('POST', '/api/user/login', login);
  expect(entered).toMatchObject({ success: false, code: 'auth.wrong-credentials' });
}, 120_000);
