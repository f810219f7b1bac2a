import { describe, expect, test } from 'vitest';
import {
  chunkEvent,
  doneEvent,
  json,
  usageChunk,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { oneChannel } from '../support/relay/scene.ts';

const scene = oneChannel();

describe('pings', () => {
  const quietStream = async (ms: number, first = chunkEvent('Hello')): Promise<string> => {
    scene.answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(first);
      setTimeout(() => res.end(usageChunk(usageOf(1, 1)) + doneEvent), ms);
    };
    return (await scene.chat({ stream: true })).text;
  };

  test('keep a stream alive while its provider is silent, at the interval of the option', async () => {
    await scene.relay.put.option('general_setting.ping_interval_enabled', 'true');
    await scene.relay.put.option('general_setting.ping_interval_seconds', '1');
    const text = await quietStream(3_500);
    expect(text.split(': PING\n\n').length - 1).toBeGreaterThanOrEqual(2);
    expect(text.replaceAll(': PING\n\n', '')).toBe(chunkEvent('Hello') + doneEvent);
  });

  test('start an answer whose content is not there yet', async () => {
    await scene.relay.put.option('general_setting.ping_interval_enabled', 'true');
    await scene.relay.put.option('general_setting.ping_interval_seconds', '1');
    const text = await quietStream(2_500, chunkEvent(''));
    expect(text.startsWith(`${chunkEvent('')}: PING\n\n`)).toBe(true);
    expect(text.endsWith(doneEvent)).toBe(true);
  });

  test('are never sent before the head, nor while the option is off', async () => {
    expect(await quietStream(1_200)).not.toContain('PING');
    await scene.relay.put.option('general_setting.ping_interval_enabled', 'true');
    await scene.relay.put.option('general_setting.ping_interval_seconds', '1');
    scene.answer = (req, res, body) => {
      setTimeout(
        () => json({ error: { message: 'too late', type: 'x' } }, 500)(req, res, body),
        1_200,
      );
    };
    const reply = await scene.chat({ stream: true });
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain('PING');
  });
});
