import { expect, test } from 'vitest';
import { readChatEvent } from '../../features/playground/api/stream-chat.ts';
import { eventData } from './event-stream.ts';

const streamOf = (...pieces: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

const collect = async (body: ReadableStream<Uint8Array>) => {
  const found: string[] = [];
  for await (const data of eventData(body)) found.push(data);
  return found;
};

test('events arrive whole, however the network cuts them, in the middle of a character too', async () => {
  const bytes = new TextEncoder().encode('data: 你好\r\n\r\n: ping\n\ndata:two\n\ndata: [DONE]');
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const found = await collect(streamOf(bytes.slice(0, cut), bytes.slice(cut)));
    expect(found).toEqual(['你好', 'two', '[DONE]']);
  }
});

test('an event of the stream is text, an error, or nothing to show', () => {
  expect(readChatEvent('{"choices":[{"delta":{"content":"hi"}}]}')).toEqual({
    kind: 'text',
    text: 'hi',
  });
  expect(readChatEvent('{"error":{"message":"no quota"}}')).toEqual({
    kind: 'error',
    text: 'no quota',
  });
  expect(readChatEvent('{"choices":[],"usage":{}}')).toBeNull();
  expect(readChatEvent('<html>')).toEqual({ kind: 'error', text: '<html>' });
});
