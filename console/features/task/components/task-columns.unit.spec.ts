import { expect, test } from 'vitest';
import { taskColumns } from './task-columns.tsx';

/** Pixels that a screen of 1,280 leaves next to the sidebar, the gutters and the border. */
const room = 1_022;
/** Of a column that shares what the others leave. */
const shared = 120;

test('an administrator sees every column of the tasks on a screen of 1,280 pixels', () => {
  const columns = taskColumns(((key: string) => key) as never, true);
  expect(columns).toHaveLength(11);
  expect(columns.reduce((sum, { width = shared }) => sum + width, 0)).toBeLessThanOrEqual(room);
});
