import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTaskHarness, type TaskHarness } from '../../tests/support/relay/task-harness.ts';

let relay: TaskHarness;
beforeAll(async () => {
  relay = await startTaskHarness();
});
afterAll(() => relay.close());

const send = (body: object) => relay.send('/mj/submit/blend', JSON.stringify(body));

test('a long body of pictures is taken', async () => {
  const image = `data:image/png;base64,${'A'.repeat(400_000)}`;
  expect((await send({ base64Array: [image, image] })).status).toBe(200);
});

test('a long body of something else is refused before it is parsed', async () => {
  const { status, text } = await send({ base64Array: Array.from({ length: 200_000 }, () => 'x') });
  expect(status).toBe(413);
  expect(text).toContain('request_too_large');
});
