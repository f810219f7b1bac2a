import { expect, test } from 'vitest';
import { createLogger } from './create-logger.ts';
import { readableLine } from './readable-line.ts';

test('a line of the log has its time of day, level, process, message and fields', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(readableLine(line)) };
  const logger = createLogger({ level: 'info', name: 'edge', destination });
  logger.child({ relayId: 'relay-1' }).warn({ left: 3, key: 'sk-secret' }, 'records are left');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d warn {2}edge: records are left {2}relayId=relay-1 {2}left=3 {2}key=\[redacted\]\n$/,
  );
});
