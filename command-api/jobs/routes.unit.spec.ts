import { expect, test } from 'vitest';
import { startWriteSide } from '../../tests/support/write-side.ts';

test('an admin reads the jobs and starts one manually', async () => {
  const side = await startWriteSide();
  const root = await side.root();
  const { body } = await root.call('GET', '/api/jobs');
  expect(body.success).toBe(true);
  const unknown = await root.call('POST', '/api/jobs/none/run');
  expect(unknown.body).toMatchObject({ success: false, code: 'job.unknown' });
  await side.stop();
});
