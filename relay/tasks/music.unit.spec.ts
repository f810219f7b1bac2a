import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { price } from '../../domain/pricing/price.ts';
import { aChannel, startUpstream } from '../../tests/support/relay/relay-harness.ts';
import {
  aKnownTask,
  isDone,
  otherKey,
  parsed,
  startTaskHarness,
  type TaskHarness,
} from '../../tests/support/relay/task-harness.ts';
import { aReport } from '../../tests/support/task-examples.ts';

let relay: TaskHarness;
beforeAll(async () => {
  relay = await startTaskHarness();
});
afterAll(() => relay.close());
beforeEach(() => {
  relay.journal.outcomes.splice(0);
  relay.upstream.requests.splice(0);
  relay.known.splice(0);
});

const submit = (action: string, body: object, headers: Record<string, string> = {}) =>
  relay.send(`/suno/submit/${action}`, JSON.stringify(body), headers);
const aSong = { platform: 'suno', upstreamId: 'song-1', channelId: 2, action: 'MUSIC' } as const;

test.each([
  ['music', 'MUSIC', { gpt_description_prompt: 'a song of gates' }, 50_000],
  ['Lyrics', 'LYRICS', { prompt: 'gates' }, 5_000],
] as const)(
  '%s is requested as %s, and charged when it is accepted',
  async (word, action, body, units) => {
    const answer = await submit(word, body);
    expect(answer.status).toBe(200);
    expect(parsed(answer.text)).toEqual({ code: 'success', message: '', data: expect.any(String) });
    const used = await relay.journal.used();
    expect(used.task?.facts).toMatchObject({ platform: 'suno', action, channelId: 2 });
    expect(price(used.usage, used.quote)).toBe(units);
    const [request] = relay.upstream.requests;
    expect(request?.path).toBe(`/suno/submit/${action}`);
    expect(request?.headers.authorization).toBe('Bearer upstream-key-2');
    const sent = parsed(request?.body.toString('utf8') ?? '{}');
    const version = action === 'MUSIC' ? { mv: 'chirp-v3-0' } : {};
    expect(sent).toEqual({ ...body, ...version, make_instrumental: false });
  },
);

test.each([
  ['opera', { prompt: 'x' }, 400, 'invalid_request', 'invalid_action'],
  ['lyrics', {}, 400, 'invalid_request', 'prompt_empty'],
  ['music', { continue_clip_id: 'c' }, 400, 'invalid_request', 'task id is empty'],
  [
    'music',
    { continue_clip_id: 'c', task_id: 'gone' },
    400,
    'task_not_exist',
    'The task does not exist',
  ],
] as const)('submit %s %j is refused', async (action, body, status, code, message) => {
  const answer = await submit(action, body);
  expect([answer.status, parsed(answer.text)]).toEqual([status, { code, message, data: null }]);
  expect(relay.upstream.requests).toEqual([]);
});

test('without quota the provider is not called', async () => {
  const { funds } = relay.leases;
  relay.leases.funds = 10;
  const { status, text } = await submit('music', { prompt: 'x' });
  relay.leases.funds = funds;
  expect([status, parsed(text).code]).toEqual([403, 'quota_not_enough']);
});

test('a song continues where it began, with that channel and its key', async () => {
  relay.known.push(aKnownTask({ ...aSong, report: isDone() }));
  const body = { continue_clip_id: 'clip', task_id: 'song-1', continue_at: 30, prompt: 'more' };
  expect((await submit('music', body)).status).toBe(200);
  expect(relay.upstream.requests[0]?.headers.authorization).toBe('Bearer upstream-key-2');
  const headers = { authorization: `Bearer sk-${otherKey}` };
  expect(parsed((await submit('music', body, headers)).text).code).toBe('task_not_exist');
});

test('texts of the provider are passed on, except those that reveal its address', async () => {
  const { status, text } = await submit('music', { prompt: 'refused' });
  expect([status, parsed(text)]).toEqual([
    500,
    { code: 'invalid_words', message: 'refused words', data: null },
  ]);
  await relay.journal.failed();
  expect(relay.leases.open).toBe(0);
});

test('a provider that is busy is tried elsewhere, and the song belongs to who took it', async () => {
  const busy = await startUpstream((_req, res) => {
    res.writeHead(429, { 'content-type': 'application/json' }).end('{"message":"slow down"}');
  });
  const first = { type: 36, models: ['suno_music'], priority: 9 };
  await relay.put.channel(aChannel(3, { ...first, baseUrl: busy.url }));
  await relay.put.option('RetryTimes', '1');
  expect((await submit('music', { prompt: 'a song' })).status).toBe(200);
  const used = await relay.journal.used();
  expect(used.call.channelsTried).toEqual([3, 2]);
  expect(used.task?.outcome).toMatchObject({ channelId: 2 });
  await relay.put.option('RetryTimes', '0');
  const alone = await submit('music', { prompt: 'a song' });
  expect([alone.status, parsed(alone.text).message]).toEqual([
    429,
    'The upstream of this group is saturated, please try again later',
  ]);
  await relay.put.channel(aChannel(3, { ...first, baseUrl: busy.url }, 2));
  busy.close();
});

test('songs are read out of our own store, and only by their owner', async () => {
  const data = '[{"id":"clip-1"}]';
  relay.known.push(aKnownTask({ ...aSong, report: isDone({ data, startTime: 5 }) }));
  relay.known.push(
    aKnownTask({ ...aSong, upstreamId: 'song-2', action: 'LYRICS', report: aReport() }),
  );
  const one = parsed((await relay.get('/suno/fetch/song-1')).text);
  expect(one).toMatchObject({ code: 'success', data: { task_id: 'song-1', action: 'MUSIC' } });
  expect(one.data).toMatchObject({ start_time: 5, submit_time: 1_700_000_000 });
  expect(one.data).toMatchObject({ data: [{ id: 'clip-1' }] });
  const fetch = async (body: object, headers: Record<string, string> = {}) =>
    parsed((await relay.send('/suno/fetch', JSON.stringify(body), headers)).text).data;
  expect(await fetch({ ids: ['song-1', 'song-2', 'gone'] })).toHaveLength(2);
  expect(await fetch({ ids: ['song-1', 'song-2'], action: 'lyrics' })).toHaveLength(1);
  expect(await fetch({ ids: [] })).toEqual([]);
  const headers = { authorization: `Bearer sk-${otherKey}` };
  expect(await fetch({ ids: ['song-1'] }, headers)).toEqual([]);
  const foreign = await relay.get('/suno/fetch/song-1', headers);
  expect([foreign.status, parsed(foreign.text).code]).toEqual([400, 'task_not_exist']);
});
