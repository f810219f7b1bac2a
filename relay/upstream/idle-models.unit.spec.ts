import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { listen, startUpstream } from '../../tests/support/relay/relay-harness.ts';
import { createUpstream } from './upstream.ts';

test('models that think may be silent for longer than those that do not', async () => {
  const silent = await startUpstream((_req, res) => {
    res.writeHead(200);
    res.write('x');
  });
  const upstream = createUpstream({ headersTimeoutMs: 60_000, idleTimeoutMs: 400 });
  const ended: string[] = [];
  const failed = (upstreamModel: string): Promise<void> =>
    new Promise((resolve) => {
      const asked = { origin: silent.url, path: '/', headers: [], body: Buffer.alloc(0) };
      upstream.dispatch(
        { ...asked, proxy: '', upstreamModel, addedUsage: false },
        {
          onHead: () => {},
          onData: () => true,
          onEnd: () => {},
          onFailure: ({ kind }) => {
            ended.push(`${upstreamModel} ${kind}`);
            resolve();
          },
        },
      );
    });
  const thinking = ['o3', 'gpt-5', 'gpt-5-mini', 'openai/gpt-5.1', 'deepseek-reasoner'];
  const models = [...thinking, 'gpt-4o', 'claude-3-haiku-20240307'];
  await Promise.all(models.map(failed));
  expect(new Set(ended.slice(0, 2))).toEqual(
    new Set(['gpt-4o timeout', 'claude-3-haiku-20240307 timeout']),
  );
  expect(ended).toHaveLength(models.length);
  silent.close();
  await upstream.close();
});

test('also over a websocket', async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', () => socket.send('{}')));
  const origin = `ws://127.0.0.1:${await listen(server)}`;
  const upstream = createUpstream({ headersTimeoutMs: 60_000, idleTimeoutMs: 400 });
  const ended: string[] = [];
  const failed = (upstreamModel: string): Promise<void> =>
    new Promise((resolve) => {
      const asked = { origin, path: '/', headers: [], body: Buffer.from('{}') };
      upstream.dispatch(
        { ...asked, proxy: '', upstreamModel, addedUsage: false },
        {
          onHead: () => {},
          onData: () => true,
          onEnd: () => {},
          onFailure: ({ kind }) => {
            ended.push(`${upstreamModel} ${kind}`);
            resolve();
          },
        },
      );
    });
  await Promise.all(['gpt-5', 'gpt-4o'].map(failed));
  expect(ended).toEqual(['gpt-4o timeout', 'gpt-5 timeout']);
  await upstream.close();
  server.close();
});
