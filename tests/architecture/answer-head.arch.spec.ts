import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const room = new URL('../../relay/', import.meta.url).pathname;

test('one file of the relay starts its answers, so that all have the headers against script', () => {
  const writers = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') &&
      !path.includes('.spec.') &&
      /\bres\.writeHead\(/.test(readFileSync(room + path, 'utf8')),
  );
  // The answer of a conversation has the headers of the call inside it.
  expect(writers.sort()).toEqual(['ingress/conversation-answer.ts', 'protocol/answer-head.ts']);
});
