import { expect, test } from 'vitest';
import { csvCell, toCsv } from './csv.ts';

test('a cell that begins like a formula is made harmless, and quotes are doubled', () => {
  expect(csvCell('=1+1')).toBe('"\'=1+1"');
  expect(csvCell('@x')).toBe('"\'@x"');
  expect(csvCell('say "hi"')).toBe('"say ""hi"""');
  expect(csvCell(12)).toBe('"12"');
});

test('an export begins with a byte-order mark and leaves channel and user out for ordinary users', () => {
  const csv = toCsv(
    [
      {
        id: 1,
        user_id: 7,
        created_at: 0,
        type: 2,
        content: 'note',
        username: 'ada',
        token_name: 'web',
        token_id: 3,
        model_name: 'm',
        quota: 5,
        prompt_tokens: 1,
        completion_tokens: 2,
        use_time: 3,
        duration_ms: 3_000,
        is_stream: false,
        channel: 4,
        channel_name: '',
        group: 'default',
        request_id: '',
        other: '',
      },
    ],
    { head: ['a'], type: () => 'Consume', cost: String, isAdmin: false },
  );
  const [head, row] = csv.split('\r\n');
  expect(head).toBe('\uFEFF"a"');
  expect(row?.split(',').slice(1)).toEqual([
    '""',
    '""',
    '"web"',
    '"default"',
    '"Consume"',
    '"m"',
    '"3"',
    '"1"',
    '"2"',
    '"5"',
    '"note"',
  ]);
});
