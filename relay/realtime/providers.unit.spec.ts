import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { type Harness, listen, rawKey } from '../../tests/support/relay/relay-harness.ts';
import {
  answering,
  closeAll,
  closing,
  created,
  delta,
  done,
  type Event,
  model,
  speak,
  startProvider,
  startWith,
} from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

const key = `Bearer sk-${rawKey}`;

type Seen = { url: URL; headers: Record<string, unknown> };

/**
 * Azure's responses: by the path of its deployments, with a key in a separate header, with its own
 * texts where it refuses.
 */
const startAzure = async (): Promise<Readonly<{ url: string; seen: Seen[] }>> => {
  const seen: Seen[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  server.on('upgrade', (req, socket, head) => {
    const url = new URL(req.url ?? '', 'http://azure.test');
    seen.push({ url, headers: req.headers });
    const refuse = (status: string, code: string, message: string): void => {
      const body = JSON.stringify({ error: { code, message } });
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    };
    const isNew = url.pathname === '/openai/v1/realtime';
    const deployment = url.searchParams.get(isNew ? 'model' : 'deployment');
    if (req.headers['api-key'] !== 'upstream-key-1' || req.headers.authorization !== undefined) {
      refuse('401 Unauthorized', '401', 'Access denied due to invalid subscription key');
    } else if (url.pathname !== '/openai/realtime' && !isNew) {
      refuse('404 Not Found', '404', 'Resource not found');
    } else if (deployment !== 'my.realtime') {
      refuse('404 Not Found', 'DeploymentNotFound', 'The API deployment does not exist');
    } else {
      sockets.handleUpgrade(req, socket, head, (client) => {
        const say = (event: Event): void => client.send(JSON.stringify(event));
        say({ type: 'session.created', session: { id: 'sess_1', model: deployment } });
        client.on('message', (data) => {
          if (JSON.parse(String(data)).type !== 'response.create') return;
          const filtered = { hate: { filtered: false, severity: 'safe' } };
          for (const event of [
            created('r1'),
            delta('r1', 'Hi'),
            { type: 'response.content_filter_results', response_id: 'r1', results: filtered },
            done('r1'),
          ]) {
            say(event);
          }
        });
      });
    }
  });
  const port = await listen(server);
  closing(() => {
    for (const client of sockets.clients) client.terminate();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, seen };
};

describe('Azure', () => {
  const mapping = { type: 3, modelMapping: `{"${model}":"my.realtime"}` };

  const withAzure = async (
    channel: object,
  ): Promise<Readonly<{ relay: Harness; seen: Seen[] }>> => {
    const { url, seen } = await startAzure();
    return { relay: await startWith(url, {}, { ...mapping, ...channel }), seen };
  };

  test.each([
    [
      'that the caller names',
      '2024-10-01-preview',
      '&api-version=2025-04-01-preview',
      '2025-04-01-preview',
    ],
    ['of the channel', '2024-10-01-preview', '', '2024-10-01-preview'],
    ['that is usual', '', '', '2024-12-01-preview'],
  ])(
    'is called at its deployment in the version %s, and its answer is charged',
    async (_which, other, query, version) => {
      const { relay, seen } = await withAzure({ other });
      const client = await speak(relay, { query });
      const over = client.next('response.done');
      client.say({ type: 'response.create' });
      expect(await over).toEqual(done('r1'));
      expect(client.events.map(({ type }) => type)).toContain('response.content_filter_results');
      expect(seen[0]?.url.pathname).toBe('/openai/realtime');
      expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
        deployment: 'my.realtime',
        'api-version': version,
      });
      expect(seen[0]?.headers['sec-websocket-protocol']).toBeUndefined();
      const used = await relay.journal.used(0);
      expect(used.usage).toMatchObject({ promptTokens: 100, completionTokens: 50 });
      expect(used.call).toMatchObject({ model, upstreamModel: 'my.realtime' });
    },
  );

  test('in its newest version has the deployment for a model', async () => {
    const { relay, seen } = await withAzure({ other: 'v1' });
    const client = await speak(relay);
    const over = client.next('response.done');
    client.say({ type: 'response.create' });
    await over;
    expect(seen[0]?.url.href).toBe('http://azure.test/openai/v1/realtime?model=my.realtime');
    expect((await relay.journal.used(0)).usageSource).toBe('upstream');
  });

  test("without such a deployment is reported with the provider's text", async () => {
    const { relay } = await withAzure({ modelMapping: '' });
    await expect(speak(relay)).rejects.toThrow('404');
    const failed = await relay.journal.failed(0);
    expect([failed.statusCode, failed.errorCode]).toEqual([404, 'DeploymentNotFound']);
    expect(relay.leases.open).toBe(0);
  });
});

describe('the edition of the protocol is the one that the caller requests', () => {
  const headers = { authorization: key };
  const inProtocols = ['realtime', `openai-insecure-api-key.sk-${rawKey}`];
  test.each([
    ['the present one, by a header', { headers }, undefined],
    ['the present one, by a sub-protocol', { headers: {}, protocols: inProtocols }, undefined],
    [
      'the first one, by a header',
      { headers: { ...headers, 'openai-beta': 'realtime=v1' } },
      'realtime=v1',
    ],
    [
      'the first one, by a sub-protocol',
      { headers: {}, protocols: [...inProtocols, 'openai-beta.realtime-v1'] },
      'realtime=v1',
    ],
    [
      'another one yet',
      { headers: { ...headers, 'openai-beta': 'realtime=v2, assistants=v2' } },
      'realtime=v2, assistants=v2',
    ],
  ])('%s', async (_which, how, expected) => {
    const provider = await startProvider(answering);
    const relay = await startWith(provider.url);
    const client = await speak(relay, how);
    expect(provider.seen.headers['openai-beta']).toBe(expected);
    expect(provider.seen.headers['sec-websocket-protocol']).toBeUndefined();
    expect(provider.seen.headers.authorization).toBe('Bearer upstream-key-1');
    const over = client.next('response.done');
    client.say({ type: 'response.create', event_id: 'a' });
    await over;
    expect((await relay.journal.used(0)).usage.promptTokens).toBe(100);
  });
});

test('words of the present edition are counted as those of the first, where nothing is reported', async () => {
  const counts: unknown[] = [];
  for (const [text, sound] of [
    ['response.text.delta', 'response.audio.delta'],
    ['response.output_text.delta', 'response.output_audio.delta'],
  ]) {
    const provider = await startProvider((event, say) => {
      if (event.type !== 'response.create') return;
      say(created('r1'));
      say({ type: text, response_id: 'r1', delta: 'The gate is open.' });
      say({ type: sound, response_id: 'r1', delta: Buffer.alloc(48_000).toString('base64') });
      say(done('r1', {}));
    });
    const relay = await startWith(provider.url);
    const client = await speak(relay);
    const over = client.next('response.done');
    client.say({ type: 'response.create' });
    await over;
    const used = await relay.journal.used(0);
    expect(used.usageSource).toBe('counted');
    counts.push(used.usage);
  }
  expect(counts[0]).toMatchObject({ audioOutputTokens: Math.floor(200 / 0.24 / 60) });
  expect(counts[1]).toEqual(counts[0]);
});
