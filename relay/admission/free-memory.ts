import { MessageChannel } from 'node:worker_threads';

/*
 * The memory of a buffer is outside of V8's heap and is freed by the collection that finds the
 * buffer unused; V8 marks the whole heap again for each 64 MB of it. What is transferred to a
 * closed port is freed at once.
 */
const { port1: closed, port2: other } = new MessageChannel();
other.close();

/** Frees the memory of buffers that nothing reads any more: they are empty afterwards. Parts of larger memory stay. */
export const freeMemory = (buffers: readonly Buffer[]): void => {
  const memories: ArrayBuffer[] = [];
  for (const { buffer, byteLength } of buffers) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) memories.push(buffer);
  }
  closed.postMessage(null, memories);
};
