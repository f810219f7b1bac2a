import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChannelAccountReply, ChannelAccountRequest } from '../../domain/relay/messages.ts';
import {
  aChannel,
  json,
  startUpstream,
  type UpstreamSpy,
} from '../../tests/support/relay/relay-harness.ts';
import {
  parsed,
  startTaskHarness,
  type TaskHarness,
} from '../../tests/support/relay/task-harness.ts';

const telling = 'Key upstream-key-9 failed at https://inner.example/x';
const redacted = 'Key [key] failed at [address]';

let relay: TaskHarness;
let upstream: UpstreamSpy;
let answer = json({});
beforeAll(async () => {
  relay = await startTaskHarness();
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
});
afterAll(async () => {
  await relay.close();
  upstream.close();
});

/** A channel of that type that precedes the usual ones. */
const put = (type: number, models: string[]) =>
  relay.put.channel(aChannel(9, { type, models, baseUrl: upstream.url, priority: 9 }));

test.each([200, 400])(
  'a song that is refused gives neither key nor address away, status %i',
  async (status) => {
    await put(36, ['suno_music']);
    answer = json({ code: 'no_money', message: telling }, status);
    const body = JSON.stringify({ gpt_description_prompt: 'gates' });
    const reply = await relay.send('/suno/submit/music', body);
    expect(parsed(reply.text).data).toBeNull();
    expect(reply.text).not.toMatch(/upstream-key|inner\.example/);
    const { outcomes } = relay.journal;
    expect(JSON.stringify(outcomes.at(-1))).not.toMatch(/upstream-key|inner\.example/);
    expect(JSON.stringify(outcomes.at(-1))).toContain(redacted);
  },
);

test('a song that is taken gives no key away', async () => {
  await put(36, ['suno_music']);
  answer = json({
    code: 'success',
    data: 'task-1',
    message: telling,
    echo: { auth: 'upstream-key-9' },
  });
  const body = JSON.stringify({ gpt_description_prompt: 'gates' });
  const reply = await relay.send('/suno/submit/music', body);
  expect(reply.status).toBe(200);
  expect(reply.text + JSON.stringify(relay.journal.outcomes)).not.toContain('upstream-key-9');
});

test('a drawing that is refused gives neither key nor address away', async () => {
  await put(5, ['mj_imagine']);
  answer = json({ code: 4, description: telling, result: '' });
  const reply = await relay.send('/mj/submit/imagine', JSON.stringify({ prompt: 'a gate' }));
  expect(parsed(reply.text)).toMatchObject({ code: 4, description: redacted });
  const booked = JSON.stringify(relay.journal.outcomes.at(-1));
  expect(booked).not.toMatch(/upstream-key|inner\.example/);
});

test.each(['models', 'balance'] as const)(
  'a provider that does not report its %s reveals neither key nor address',
  async (wanted) => {
    answer = json({ error: { message: telling } }, 403);
    const channel = aChannel(9, { type: 25, baseUrl: upstream.url });
    const reply = await relay.bus.request<ChannelAccountRequest, ChannelAccountReply>(
      'relay.channel-account',
      { channel, wanted },
    );
    expect(reply.kind).toBe('failed');
    expect(JSON.stringify(reply)).toContain(redacted);
  },
);
