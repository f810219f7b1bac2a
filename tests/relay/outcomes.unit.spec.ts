import { describe, expect, test } from 'vitest';
import {
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  json,
  sse,
  usageChunk,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { sceneWithOutcomes } from '../support/relay/scene.ts';

const scene = sceneWithOutcomes({ drainMs: 400 });

const stream = chatBody({ stream: true });

describe('the provider breaks', () => {
  test('in the middle of a stream: what was received is billed, and the client is informed', async () => {
    scene.answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(chunkEvent('Hello there friend'), () => res.destroy());
    };
    const reply = await scene.relay.send('/v1/chat/completions', stream);
    const used = await scene.relay.journal.used();
    expect(used).toMatchObject({ end: 'upstream-broken', usageSource: 'counted' });
    expect(used.usage.completionTokens).toBe(3);
    expect(reply.text).toContain('"code":"do_request_failed"');
    expect(reply.text.endsWith(doneEvent)).toBe(true);
    expect(reply.text).not.toContain('127.0.0.1');
  });

  test('with an error inside a stream: the text before it is billed, its own words are not', async () => {
    const error = `data: ${JSON.stringify({ error: { message: 'overloaded '.repeat(50) } })}\n\n`;
    scene.answer = sse([chunkEvent('Hello there friend'), error, doneEvent]);
    const reply = await scene.relay.send('/v1/chat/completions', stream);
    const used = await scene.relay.journal.used();
    expect(used).toMatchObject({ end: 'upstream-broken', usageSource: 'counted' });
    expect(used.usage.completionTokens).toBe(3);
    expect(reply.text).toContain('overloaded');
  });

  test('before the first word: an error with a status, and nothing is charged', async () => {
    scene.answer = (_req, res) => res.destroy();
    const reply = await scene.relay.send('/v1/chat/completions', stream);
    expect(reply.status).toBe(500);
    expect(await scene.relay.journal.failed()).toMatchObject({
      statusCode: 500,
      errorCode: 'do_request_failed',
    });
    expect(scene.relay.leases.settled[0]?.amount).toBe(0);
  });

  test('in the middle of a plain answer: an error, and nothing is charged', async () => {
    scene.answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      res.write('{"choices":[', () => res.destroy());
    };
    expect((await scene.relay.send('/v1/chat/completions', chatBody())).status).toBe(500);
    await scene.relay.journal.failed();
  });

  test('after nothing but an empty stream: an error, and nothing is charged', async () => {
    scene.answer = sse([]);
    expect((await scene.relay.send('/v1/chat/completions', stream)).status).toBe(502);
    await scene.relay.journal.failed();
  });

  test('with an error dressed as success: an error, and nothing is charged', async () => {
    scene.answer = json({ error: { message: 'quota', type: 'server_error', code: 'x' } });
    const reply = await scene.relay.send('/v1/chat/completions', chatBody());
    expect(reply.status).toBe(502);
    expect(JSON.parse(reply.text).error).toMatchObject({ type: 'server_error', code: 'x' });
    await scene.relay.journal.failed();
  });

  test('with an error as the first event: an error with a status', async () => {
    scene.answer = sse([
      `data: {"error":{"message":"no capacity","type":"server_error"}}\n\n`,
      doneEvent,
    ]);
    const reply = await scene.relay.send('/v1/chat/completions', stream);
    expect(reply.status).toBe(502);
    expect(reply.text).toContain('no capacity');
    await scene.relay.journal.failed();
  });
});

describe('the usage that the provider reports', () => {
  test('missing: it is counted', async () => {
    scene.answer = json(chatAnswer(null));
    await scene.relay.send('/v1/chat/completions', chatBody());
    const used = await scene.relay.journal.used();
    expect(used).toMatchObject({ usageSource: 'counted', end: 'complete' });
    expect(used.usage.completionTokens).toBe(2);
    expect(used.usage.promptTokens).toBe(8);
  });

  test.each([
    ['negative', usageOf(-5, 10), { promptTokens: 0, completionTokens: 10 }],
    ['fractional', usageOf(10.7, 3.2), { promptTokens: 10, completionTokens: 3 }],
    [
      'as text',
      { prompt_tokens: '12', completion_tokens: 3 },
      { promptTokens: 0, completionTokens: 3 },
    ],
  ])('%s: made usable, with a note', async (_name, usage, expected) => {
    scene.answer = json(chatAnswer(usage));
    await scene.relay.send('/v1/chat/completions', chatBody());
    const used = await scene.relay.journal.used();
    expect(used.usage).toMatchObject(expected);
    expect(used.usageNote).not.toBeNull();
    expect(scene.relay.leases.settled[0]?.amount).toBeGreaterThanOrEqual(0);
  });

  test('absurd: cut to what the request can have used', async () => {
    scene.answer = json(chatAnswer(usageOf(1e18, 1e18)));
    await scene.relay.send('/v1/chat/completions', chatBody({ max_tokens: 10 }));
    const used = await scene.relay.journal.used();
    expect(used.usage.promptTokens).toBeLessThan(200_000);
    expect(used.usage.completionTokens).toBeLessThan(70_000);
    expect(used.usageNote).toContain('prompt tokens');
  });

  test('nothing but nonsense: it is counted', async () => {
    scene.answer = json(chatAnswer(usageOf(-5, -7)));
    await scene.relay.send('/v1/chat/completions', chatBody());
    const used = await scene.relay.journal.used();
    expect(used).toMatchObject({ usageSource: 'counted' });
    expect(used.usage.completionTokens).toBe(2);
  });
});

test('a fault in our own code is one failed outcome and no trace of the stack', async () => {
  const words = Array.from({ length: 40 }, () => chunkEvent('word '));
  await scene.relay.put.option('PreConsumedQuota', '5');
  // The text arrives alone first: the end of an answer needs no more quota.
  const asked = new Promise<void>((resolve) => {
    scene.relay.leases.extend = () => {
      resolve();
      throw new Error('a secret of the stack');
    };
  });
  scene.answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(words.join(''));
    asked.then(() => res.end(usageChunk(usageOf(1, 40)) + doneEvent));
  };
  const reply = await scene.relay.send('/v1/chat/completions', stream).catch(() => null);
  expect(reply?.text ?? '').not.toContain('secret of the stack');
  expect(await scene.relay.journal.failed()).toMatchObject({ errorCode: 'internal_error' });
});

test('a fault while the quota is given back loses neither the charge nor the process', async () => {
  scene.answer = json(chatAnswer(usageOf(10, 5)));
  const { leases } = scene.relay;
  leases.settle = () => {
    leases.open -= 1;
    throw new Error('settle');
  };
  await scene.relay.send('/v1/chat/completions', chatBody()).catch(() => null);
  expect((await scene.relay.journal.used()).usage.promptTokens).toBe(10);
});
