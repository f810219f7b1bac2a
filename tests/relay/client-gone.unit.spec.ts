import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  json,
  rawKey,
  usageChunk,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { sceneWithOutcomes } from '../support/relay/scene.ts';

const scene = sceneWithOutcomes({ drainMs: 400 });

const stream = chatBody({ stream: true });

/**
 * Sends a chat and closes the connection once `enough` of the answer has arrived; 0: at once after
 * sending.
 */
const hangUp = async (body: string, enough: number): Promise<void> => {
  const noticed = scene.relay.nextClose();
  await sendAndDestroy(body, enough);
  await noticed;
};

const sendAndDestroy = (body: string, enough: number): Promise<void> =>
  new Promise((resolve) => {
    const req = httpRequest({
      host: '127.0.0.1',
      port: scene.relay.port,
      method: 'POST',
      path: '/v1/chat/completions',
      agent: false,
      headers: { authorization: `Bearer ${rawKey}`, 'content-type': 'application/json' },
    });
    req.on('error', () => resolve());
    req.on('response', (res) => {
      let bytes = 0;
      res.on('error', () => {});
      res.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes >= enough) {
          req.destroy();
          resolve();
        }
      });
    });
    req.end(body);
    if (enough === 0) {
      const untilAsked = (): void => {
        if (scene.upstream.requests.length === 0) setImmediate(untilAsked);
        else {
          req.destroy();
          resolve();
        }
      };
      untilAsked();
    }
  });

describe('the client goes away', () => {
  test('a stream is read to its end and billed by what the provider reports', async () => {
    let goOn: () => void = () => {};
    scene.answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(chunkEvent('Hello'));
      goOn = () => res.end(chunkEvent(' you') + usageChunk(usageOf(20, 2)) + doneEvent);
    };
    await hangUp(stream, 1);
    goOn();
    const used = await scene.relay.journal.used();
    expect(used).toMatchObject({ end: 'client-gone', usageSource: 'upstream' });
    expect(used.usage).toMatchObject({ promptTokens: 20, completionTokens: 2 });
  });

  test('a stream that does not end within the bound is billed by what was received', async () => {
    scene.answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(chunkEvent('Hello there friend'));
    };
    await hangUp(stream, 1);
    const used = await scene.relay.journal.used();
    expect(used).toMatchObject({ end: 'client-gone', usageSource: 'counted' });
    expect(used.usage.completionTokens).toBe(3);
    expect(used.usage.promptTokens).toBeGreaterThan(0);
  });

  test('a plain answer is awaited and billed by what the provider reports', async () => {
    let goOn: () => void = () => {};
    scene.answer = (req, res, body) => {
      goOn = () => json(chatAnswer(usageOf(9, 3)))(req, res, body);
    };
    await hangUp(chatBody(), 0);
    goOn();
    const used = await scene.relay.journal.used();
    expect(used).toMatchObject({ end: 'client-gone', usageSource: 'upstream' });
    expect(used.usage.promptTokens).toBe(9);
  });

  test('a provider that stays silent is billed for the prompt', async () => {
    scene.answer = () => {};
    await hangUp(chatBody(), 0);
    const used = await scene.relay.journal.used();
    expect(used).toMatchObject({ end: 'client-gone', usageSource: 'counted' });
    expect(used.usage.completionTokens).toBe(0);
  });

  test('an error response of the provider costs nothing', async () => {
    let goOn: () => void = () => {};
    scene.answer = (req, res, body) => {
      goOn = () => json({ error: { message: 'no' } }, 500)(req, res, body);
    };
    await hangUp(chatBody(), 0);
    goOn();
    expect(await scene.relay.journal.failed()).toMatchObject({ statusCode: 499 });
  });

  test.each([
    ['a stream', stream, 1, 3],
    ['a plain answer', chatBody(), 0, 0],
  ])(
    '%s is ended at once where the operator configured that, and billed once',
    async (_n, body, enough, produced) => {
      await scene.relay.put.option('general_setting.drain_after_disconnect', 'false');
      const upstreamClosed = new Promise<void>((resolve) => {
        scene.answer = (_req, res) => {
          res.on('close', resolve);
          if (enough === 0) return;
          res.writeHead(200, { 'content-type': 'text/event-stream' });
          res.write(chunkEvent('Hello there friend'));
        };
      });
      const began = performance.now();
      await hangUp(body, enough);
      await upstreamClosed;
      expect(performance.now() - began).toBeLessThan(300);
      const used = await scene.relay.journal.used();
      expect(used).toMatchObject({ end: 'client-gone', usageSource: 'counted' });
      expect(used.usage.completionTokens).toBe(produced);
      expect(scene.relay.leases.settled).toHaveLength(1);
    },
  );
});
