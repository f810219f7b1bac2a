import { expect, test } from 'vitest';
import { startUpstream } from '../relay-harness.spec.ts';
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
