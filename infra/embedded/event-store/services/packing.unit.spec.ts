import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Outgoing } from './calls.ts';
import { sendPacked } from './packing.ts';

/** What carries a response: keeps what is written, and is full after each write while `isSlow`. */
class FakeStream extends EventEmitter {
  readonly written: Buffer[] = [];
  destroyed = false;
  writableEnded = false;
  isSlow = false;
  respond(): void {}
  write(bytes: Buffer): boolean {
    this.written.push(bytes);
    return !this.isSlow;
  }
}

/** The framework's half: a message by itself, with its header. */
const fakeCall = (stream: FakeStream | null) => {
  const singles: Buffer[] = [];
  const write = (message: Buffer, done?: () => void): boolean => {
    singles.push(message);
    setImmediate(() => done?.());
    return true;
  };
  const call = { call: stream === null ? {} : { stream }, write } as unknown as Outgoing;
  return { call, singles };
};

const messagesIn = (bytes: Buffer): string[] => {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0);
    const size = bytes.readUInt32BE(at + 1);
    found.push(bytes.toString('utf8', at + 5, at + 5 + size));
    at += 5 + size;
  }
  return found;
};
const texts = (count: number, size = 10): string[] =>
  Array.from({ length: count }, (_, n) => `${n}`.padEnd(size, '.'));
const buffers = (all: readonly string[]): Buffer[] => all.map((text) => Buffer.from(text));

test('the first message goes by the framework, the others behind it in a few writes', async () => {
  const stream = new FakeStream();
  const { call, singles } = fakeCall(stream);
  const all = texts(500, 1_000);
  await sendPacked(call, buffers(all), new AbortController().signal);
  expect(singles.map(String)).toEqual(all.slice(0, 1));
  expect(messagesIn(Buffer.concat(stream.written))).toEqual(all.slice(1));
  expect(stream.written.length).toBeLessThan(10);
});

test('a reader who is slower is waited for, until he has left', async () => {
  const stream = new FakeStream();
  stream.isSlow = true;
  const { call } = fakeCall(stream);
  const sending = sendPacked(call, buffers(texts(500, 1_000)), new AbortController().signal);
  await expect.poll(() => stream.written.length).toBe(1);
  stream.emit('drain');
  await expect.poll(() => stream.written.length).toBe(2);
  stream.destroyed = true;
  stream.emit('close');
  await sending;
  expect(stream.written).toHaveLength(2);
});

test('a node that stops does not wait for slow readers', async () => {
  const stream = new FakeStream();
  stream.isSlow = true;
  const stopping = new AbortController();
  const { call } = fakeCall(stream);
  const sending = sendPacked(call, buffers(texts(500, 1_000)), stopping.signal);
  await expect.poll(() => stream.written.length).toBe(1);
  stopping.abort();
  await sending;
  expect(stream.written).toHaveLength(1);
});

test('where the stream is not to be found, each message goes by the framework', async () => {
  const { call, singles } = fakeCall(null);
  await sendPacked(call, buffers(texts(20)), new AbortController().signal);
  expect(singles.map(String)).toEqual(texts(20));
});
