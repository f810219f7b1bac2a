import { expect, test } from 'vitest';
import { chatAnswer, chatBody, json } from '../support/relay/relay-harness.ts';
import { sceneWithOutcomes } from '../support/relay/scene.ts';

const scene = sceneWithOutcomes({});
const path = '/v1/chat/completions';

/** An answer without usage, longer than what is kept of one. */
const longAnswer = (bytes: number): object => {
  const message = { role: 'assistant', content: 'word '.repeat(bytes / 5) };
  return { ...chatAnswer(null), choices: [{ index: 0, message, finish_reason: 'stop' }] };
};

test.each([0.9, 1.1, 2])(
  'an answer of %d MB without usage is charged up to the limit that the caller named',
  async (mb) => {
    scene.answer = json(longAnswer(mb * 1e6));
    const reply = await scene.relay.send(path, chatBody({ max_tokens: 5 }));
    expect(reply.status).toBe(200);
    const { usage, usageSource } = await scene.relay.journal.used();
    expect(usageSource).toBe('counted');
    expect(usage.completionTokens).toBeLessThanOrEqual(70);
  },
);

test('a long answer without a limit is cut where nothing more is funded', async () => {
  scene.relay.leases.funds = 60_000;
  scene.answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(longAnswer(8e6)));
  };
  await scene.relay.send(path, chatBody()).catch(() => null);
  expect(await scene.relay.journal.used()).toMatchObject({
    end: 'cut-off',
    usageSource: 'counted',
  });
  const eventUnits = 64 * 1024;
  expect(scene.relay.leases.settled[0]?.amount).toBeLessThan(60_000 + eventUnits);
});

test('a long answer without a limit is passed on whole where it is funded', async () => {
  scene.answer = json(longAnswer(2e6));
  const reply = await scene.relay.send(path, chatBody());
  expect(reply.text.length).toBeGreaterThan(2e6);
  expect((await scene.relay.journal.used()).usage.completionTokens).toBeGreaterThan(400_000);
});
