import { lookup } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPublicLookup } from '../../infra/web/public-address.ts';
import { aChannel, startUpstream, vault } from '../../tests/support/relay/relay-harness.ts';
import {
  aKnownTask,
  isDone,
  parsed,
  startTaskHarness,
  type TaskHarness,
} from '../../tests/support/relay/task-harness.ts';
import { hookOf } from './notify-hook.ts';

const publicAddress = '93.184.216.34';
/** A name server that returns one address for the check and another for the use. */
const answers: string[] = [];
vi.mock('node:dns', async (load) => {
  const real = await load<typeof import('node:dns')>();
  const asked = vi.fn((name: string, options: object, callback: unknown) => {
    const done = callback as (error: Error | null, found: object[]) => void;
    if (name !== 'rebind.example') return real.lookup(name, options as { all: true }, done);
    done(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]);
  });
  return { ...real, lookup: asked, default: { ...real, lookup: asked } };
});

let relay: TaskHarness;
let inside: Awaited<ReturnType<typeof startUpstream>>;
beforeAll(async () => {
  relay = await startTaskHarness();
  inside = await startUpstream((_req, res) => {
    res.writeHead(200, { 'content-type': 'image/png' }).end('secret');
  });
});
afterAll(async () => {
  inside.close();
  await relay.close();
});
beforeEach(() => {
  relay.known.splice(0);
  relay.reported.splice(0);
  inside.requests.splice(0);
});

describe('the picture of a task', () => {
  const port = () => new URL(inside.url).port;
  const places: readonly (readonly [string, () => string])[] = [
    ['the loopback address', () => `${inside.url}/a.png`],
    ['the loopback name', () => `http://localhost:${port()}/a.png`],
    ['the newer loopback address', () => `http://[::1]:${port()}/a.png`],
    ['a loopback address written as a number', () => `http://2130706433:${port()}/a.png`],
    ['a loopback address in a newer one', () => `http://[::ffff:127.0.0.1]:${port()}/a.png`],
    ['a link-local address', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a private address', () => 'http://10.0.0.1/a.png'],
    ['no address', () => `http://0.0.0.0:${port()}/a.png`],
    ['a file', () => 'file:///etc/passwd'],
    ['a name that turns into loopback', () => `http://rebind.example:${port()}/a.png`],
  ];
  test.each(places)('is not fetched from %s', async (_, place) => {
    answers.splice(0);
    relay.known.push(aKnownTask({ report: isDone({ imageUrl: place() }) }));
    const { status, text } = await relay.get('/mj/image/mj-1');
    expect([status, parsed(text)]).toEqual([500, { error: 'http_get_image_failed' }]);
    expect(inside.requests).toEqual([]);
  });

  test('is not fetched for an unknown task', async () => {
    const { status, text } = await relay.get(`/mj/image/${encodeURIComponent(inside.url)}`);
    expect([status, parsed(text)]).toEqual([400, { error: 'midjourney_task_not_found' }]);
    expect(inside.requests).toEqual([]);
  });

  test('is fetched from the very address that was checked, whatever the name resolves to next', async () => {
    answers.splice(0, answers.length, publicAddress, '127.0.0.1');
    vi.mocked(lookup).mockClear();
    const found = await new Promise((resolve, reject) =>
      createPublicLookup()('rebind.example', {}, (error, address) =>
        error === null ? resolve(address) : reject(error),
      ),
    );
    expect(found).toBe(publicAddress);
    expect(lookup).toHaveBeenCalledTimes(1);
  });
});

describe('a call back', () => {
  const done = JSON.stringify({ id: 'mj-1', status: 'FAILURE', progress: '100%', failReason: 'x' });
  const notify = (path: string, headers: Record<string, string> = {}) =>
    relay.send(path, done, { authorization: '', ...headers });
  const hook = (taskId: string): string =>
    hookOf(vault, 'https://gate.example', taskId)?.replace('https://gate.example', '') ?? '';

  beforeEach(async () => {
    relay.known.push(aKnownTask());
    await relay.put.channel(aChannel(4, { type: 2, models: ['mj_imagine'] }));
  });

  test('with the address of its task is taken', async () => {
    expect((await notify(hook('task-1'))).status).toBe(200);
    expect(relay.reported).toMatchObject([
      { taskId: 'task-1', report: { status: 'FAILURE', progress: '100%', failReason: 'x' } },
    ]);
  });

  test('with the key of the channel is taken', async () => {
    expect((await notify('/mj/notify', { 'mj-api-secret': 'upstream-key-1' })).status).toBe(200);
    expect(relay.reported).toHaveLength(1);
  });

  test('gives the key of its channel to no event', async () => {
    const failReason = 'Key upstream-key-1 failed';
    const body = JSON.stringify({ id: 'mj-1', status: 'FAILURE', failReason });
    expect((await relay.send(hook('task-1'), body, { authorization: '' })).status).toBe(200);
    expect(relay.reported).toMatchObject([{ report: { failReason: 'Key [key] failed' } }]);
  });

  type Row = readonly [string, () => string, Record<string, string>, number];
  const rows: readonly Row[] = [
    ['without a word of who calls', () => '/mj/notify', {}, 401],
    [
      'with the key of a caller',
      () => '/mj/notify',
      { authorization: `Bearer sk-${'k'.repeat(48)}` },
      401,
    ],
    ['with a key that no channel has', () => '/mj/notify', { 'mj-api-secret': 'guess' }, 400],
    [
      'with the key of another channel',
      () => '/mj/notify',
      { 'mj-api-secret': 'upstream-key-4' },
      400,
    ],
    ['with the address of another task', () => hook('task-2'), {}, 400],
    ['with a mark that was made up', () => `/mj/notify?task=task-1.${'0'.repeat(64)}`, {}, 401],
    ['with a mark cut short', () => hook('task-1').slice(0, -1), {}, 401],
  ];
  test.each(rows)('for a task is refused %s', async (_, path, headers, status) => {
    expect((await notify(path(), headers)).status).toBe(status);
    expect(relay.reported).toEqual([]);
  });

  test('that is no JSON is refused', async () => {
    const answer = await relay.send(hook('task-1'), 'no json', { authorization: '' });
    expect([answer.status, parsed(answer.text).description]).toEqual([
      400,
      'bind_request_body_failed',
    ]);
  });
});

test('paths of the console are not taken for modes', async () => {
  for (const path of ['/api/mj/', '/api/mj/self', '/assets/mj/a.js']) {
    expect((await relay.get(path)).status).toBe(418);
  }
});
