import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { price } from '../../domain/pricing/price.ts';
import { rawKey } from '../../tests/support/relay/relay-harness.ts';
import {
  aKnownTask,
  isDone,
  otherKey,
  parsed,
  startTaskHarness,
  type TaskHarness,
} from '../../tests/support/relay/task-harness.ts';

let relay: TaskHarness;
beforeAll(async () => {
  relay = await startTaskHarness();
});
afterAll(() => relay.close());
beforeEach(() => {
  relay.journal.outcomes.splice(0);
  relay.journal.startedEntries.splice(0);
  relay.upstream.requests.splice(0);
  relay.known.splice(0);
});

const submit = (name: string, body: object, headers: Record<string, string> = {}) =>
  relay.send(`/mj/${name}`, JSON.stringify(body), headers);
const image = 'data:image/png;base64,AAAA';

type Row = readonly [path: string, body: object, action: string, units: number];
const rows: readonly Row[] = [
  ['submit/imagine', { prompt: 'a gate' }, 'IMAGINE', 50_000],
  ['submit/describe', { base64: image }, 'DESCRIBE', 25_000],
  ['submit/blend', { base64Array: [image, image] }, 'BLEND', 50_000],
  ['submit/shorten', { prompt: 'a long gate' }, 'SHORTEN', 50_000],
  ['submit/upload-discord-images', { base64Array: [image] }, 'UPLOAD', 25_000],
  ['insight-face/swap', { sourceBase64: image, targetBase64: image }, 'SWAP_FACE', 25_000],
  ['submit/change', { taskId: 'mj-1', action: 'UPSCALE', index: 2 }, 'UPSCALE', 25_000],
  ['submit/change', { taskId: 'mj-1', action: 'VARIATION', index: 4 }, 'VARIATION', 50_000],
  ['submit/change', { taskId: 'mj-1', action: 'REROLL' }, 'REROLL', 50_000],
  ['submit/simple-change', { content: 'mj-1 u3' }, 'UPSCALE', 25_000],
  ['submit/simple-change', { content: 'mj-1 R' }, 'REROLL', 50_000],
  ['submit/modal', { taskId: 'mj-1', prompt: 'more' }, 'MODAL', 50_000],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ::JOB::upsample::2::h' }, 'UPSCALE', 25_000],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ::JOB::variation::2::h' }, 'VARIATION', 50_000],
  [
    'submit/action',
    { taskId: 'mj-1', customId: 'MJ::JOB::low_variation::1::h' },
    'LOW_VARIATION',
    50_000,
  ],
  [
    'submit/action',
    { taskId: 'mj-1', customId: 'MJ::JOB::high_variation::1::h' },
    'HIGH_VARIATION',
    50_000,
  ],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ::JOB::pan_left::1::h' }, 'PAN', 50_000],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ::JOB::reroll::0::h' }, 'REROLL', 50_000],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ::Outpaint::50::1::h' }, 'ZOOM', 50_000],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ::CustomZoom::h' }, 'CUSTOM_ZOOM', 0],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ::Inpaint::1::h' }, 'INPAINT', 0],
];

test.each(rows)('/mj/%s %j is %s for %i units', async (path, body, action, units) => {
  relay.known.push(aKnownTask());
  const answer = await submit(path, body);
  expect(answer.status).toBe(200);
  const used = await relay.journal.used();
  expect(used.task?.facts).toMatchObject({ action, platform: 'mj', channelId: 1 });
  expect(price(used.usage, used.quote)).toBe(units);
  expect(used.task?.outcome).toMatchObject({ kind: 'accepted', quota: units });
  expect(relay.leases.open).toBe(0);
  expect(relay.upstream.requests[0]).toMatchObject({ path: `/mj/${path}` });
  expect(relay.upstream.requests[0]?.headers).toMatchObject({ 'mj-api-secret': 'upstream-key-1' });
  expect(relay.upstream.requests[0]?.headers.authorization).toBeUndefined();
});

test.each([
  ['submit/imagine', {}, 'prompt_is_required'],
  ['submit/action', { taskId: 'mj-1' }, 'custom_id_is_required'],
  ['submit/action', { customId: 'MJ::Inpaint::1::h' }, 'task_id_is_required'],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ' }, 'unknown_action'],
  [
    'submit/action',
    { taskId: 'mj-1', customId: 'MJ::JOB::fly::1' },
    'unknown_action:MJ::JOB::fly::1',
  ],
  ['submit/action', { taskId: 'mj-1', customId: 'MJ::JOB::upsample' }, 'index_parse_failed'],
  ['submit/change', { action: 'UPSCALE', index: 1 }, 'task_id_is_required'],
  ['submit/change', { taskId: 'mj-1' }, 'action_is_required'],
  ['submit/change', { taskId: 'mj-1', action: 'UPSCALE', index: 5 }, 'index_is_required'],
  ['submit/simple-change', {}, 'content_is_required'],
  ['submit/simple-change', { content: 'mj-1 X9' }, 'content_parse_failed'],
  ['submit/change', { taskId: 'gone', action: 'REROLL' }, 'task_not_found'],
  ['submit/modal', {}, 'task_id_is_required'],
  ['insight-face/swap', { sourceBase64: image }, 'sour_base64_and_target_base64_is_required'],
] as const)('/mj/%s %j is refused: %s', async (path, body, description) => {
  const { status, text } = await submit(path, body);
  expect(status).toBe(400);
  expect(parsed(text)).toEqual({ description, type: 'upstream_error', code: 4 });
  expect(relay.journal.startedEntries).toEqual([]);
});

describe('what builds on another drawing', () => {
  const change = { taskId: 'mj-1', action: 'REROLL' };

  test('requires it finished, unless the operator does not', async () => {
    relay.known.push(aKnownTask({ report: isDone({ status: 'IN_PROGRESS', progress: '37%' }) }));
    expect(parsed((await submit('submit/change', change)).text).description).toBe(
      'task_status_not_success',
    );
    expect((await submit('submit/modal', { taskId: 'mj-1' })).status).toBe(200);
    await relay.put.option('MjActionCheckSuccessEnabled', 'false');
    expect((await submit('submit/change', change)).status).toBe(200);
    await relay.put.option('MjActionCheckSuccessEnabled', 'true');
  });

  test('is not for others', async () => {
    relay.known.push(aKnownTask());
    const headers = { authorization: `Bearer sk-${otherKey}` };
    const answer = await submit('submit/change', change, headers);
    expect(parsed(answer.text).description).toBe('task_not_found');
  });

  test('goes to the channel of its origin, which has to be there', async () => {
    relay.known.push(aKnownTask({ channelId: 99 }));
    const { text } = await submit('submit/change', change);
    expect(parsed(text).description).toBe('get_channel_info_failed');
  });
});

test('an error response is passed on and costs nothing', async () => {
  const { status, text } = await submit('submit/imagine', { prompt: 'a banned gate' });
  expect(status).toBe(200);
  expect(parsed(text)).toMatchObject({ code: 24, description: 'banned prompt' });
  const failed = await relay.journal.failed();
  expect(failed.task?.outcome).toEqual({ kind: 'refused', code: 24, reason: 'banned prompt' });
  expect(relay.leases.open).toBe(0);
});

test('a provider that breaks off costs nothing, and the caller gets an error', async () => {
  const { status, text } = await submit('submit/imagine', { prompt: 'drops the line' });
  expect(status).toBe(400);
  expect(parsed(text)).toMatchObject({ description: 'do_request_failed', code: 5 });
  await relay.journal.failed();
  expect(relay.leases.open).toBe(0);
});

test('a step that waits in a queue is shown as taken, a window is not', async () => {
  relay.known.push(aKnownTask());
  expect(parsed((await submit('submit/imagine', { prompt: 'queued' })).text).code).toBe(1);
  const inpaint = { taskId: 'mj-1', customId: 'MJ::Inpaint::1::h' };
  expect(parsed((await submit('submit/action', inpaint)).text).code).toBe(21);
});

test('without quota the provider is not called', async () => {
  const { funds } = relay.leases;
  relay.leases.funds = 10;
  const { status, text } = await submit('submit/imagine', { prompt: 'a gate' });
  relay.leases.funds = funds;
  expect([status, parsed(text).description]).toEqual([400, 'quota_not_enough']);
  expect(relay.upstream.requests).toEqual([]);
});

test('a provider without an account to draw with is reported', async () => {
  await relay.put.option('AutomaticDisableChannelEnabled', 'true');
  const failing = new Promise((resolve) => void relay.bus.subscribe('channel.failing', resolve));
  await submit('submit/imagine', { prompt: 'no instance' });
  expect(await failing).toMatchObject({ channelId: 1, reason: 'No available account instance' });
});

describe('what goes up', () => {
  const body = { prompt: 'a gate --fast', notifyHook: 'https://me.example/', accountFilter: {} };
  const sent = async (path = '/mj/submit/imagine') => {
    relay.upstream.requests.splice(0);
    await relay.send(path, JSON.stringify({ ...body, extra: [1] }));
    const [request] = relay.upstream.requests;
    return { path: request?.path, body: parsed(request?.body.toString('utf8') ?? '{}') };
  };

  test('is without hooks and filters, but with everything else', async () => {
    expect((await sent()).body).toEqual({ prompt: 'a gate --fast', extra: [1] });
  });

  test('follows the switches of the operator', async () => {
    for (const name of ['MjNotifyEnabled', 'MjAccountFilterEnabled', 'MjModeClearEnabled']) {
      await relay.put.option(name, 'true');
    }
    expect((await sent()).body).toEqual({ ...body, prompt: 'a gate', extra: [1] });
    for (const name of ['MjNotifyEnabled', 'MjAccountFilterEnabled', 'MjModeClearEnabled']) {
      await relay.put.option(name, 'false');
    }
  });

  test('keeps a mode in its path, but for our own', async () => {
    expect((await sent('/mj-fast/mj/submit/imagine?a=1')).path).toBe('/mj/submit/imagine?a=1');
    expect((await sent('/relax/mj/submit/imagine')).path).toBe('/relax/mj/submit/imagine');
  });
});

test('the key may be given in the header of drawing clients', async () => {
  const body = JSON.stringify({ prompt: 'a gate' });
  const own = { authorization: 'midjourney-proxy', 'mj-api-secret': `sk-${rawKey}` };
  expect((await relay.send('/mj/submit/imagine', body, own)).status).toBe(200);
  const wrong = { authorization: 'midjourney-proxy', 'mj-api-secret': 'sk-wrong' };
  expect((await relay.send('/mj/submit/imagine', body, wrong)).status).toBe(401);
});

test('drawings are read out of our own store, and only by their owner', async () => {
  const report = isDone({ imageUrl: 'https://cdn.example/1.png', promptEn: 'gate', buttons: '[]' });
  relay.known.push(aKnownTask({ report }));
  await relay.put.option('ServerAddress', 'https://gate.example/');
  const own = await relay.get('/mj/task/mj-1/fetch');
  expect(parsed(own.text)).toMatchObject({
    id: 'mj-1',
    action: 'IMAGINE',
    imageUrl: 'https://gate.example/mj/image/mj-1',
    status: 'SUCCESS',
    buttons: [],
    properties: null,
  });
  const headers = { authorization: `Bearer sk-${otherKey}` };
  const other = await relay.get('/mj/task/mj-1/fetch', headers);
  expect([other.status, parsed(other.text).description]).toEqual([400, 'task_no_found']);
  const ids = JSON.stringify({ ids: ['mj-1', 'gone'] });
  expect(JSON.parse((await relay.send('/mj/task/list-by-condition', ids)).text)).toHaveLength(1);
  const none = await relay.send('/mj/task/list-by-condition', ids, headers);
  expect(JSON.parse(none.text)).toEqual([]);
  const seed = await relay.get('/mj/task/mj-1/image-seed');
  expect(parsed(seed.text)).toMatchObject({ code: 1, result: '424242' });
});
