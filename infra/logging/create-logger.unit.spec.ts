import { expect, test } from 'vitest';
import { createLogger } from './create-logger.ts';

const captured = (level: 'info' | 'debug' = 'info') => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, logger: createLogger({ level, name: 'spec', destination }) };
};

test('a log line is JSON with its level, its time and the fields of its logger', () => {
  const { lines, logger } = captured();
  logger.child({ requestId: 'r1' }).warn({ code: 'x' }, 'something happened');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    name: 'spec',
    requestId: 'r1',
    code: 'x',
    msg: 'something happened',
  });
});

test('credentials never reach a log line, at any usual depth', () => {
  const { lines, logger } = captured();
  const secret = 'sk-very-secret';
  logger.info({ key: secret, headers: { authorization: secret, 'x-api-key': secret } }, 'one');
  logger.info({ req: { headers: { cookie: secret, 'set-cookie': secret } } }, 'two');
  logger.child({ user: { password: secret } }).error({ 'x-goog-api-key': secret }, 'three');
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain(secret);
  expect(lines.join('')).toContain('[redacted]');
});

test('an error is written with its message and stack', () => {
  const { lines, logger } = captured();
  logger.error({ err: new Error('broken pipe') }, 'failed');
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ type: 'Error', message: 'broken pipe' });
});

test('lines below the level are left out', () => {
  const { lines, logger } = captured();
  logger.debug({}, 'quiet');
  expect(lines).toHaveLength(0);
});
