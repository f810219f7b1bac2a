/*
 * Preloaded into every process of the product: writes how long its event loop was blocked, in
 * milliseconds for each tenth of a second, to `LOOP_DELAY_DIR/<pid>`. Where the kernel reports how
 * long the thread ran, only that counts: on a busy machine all processes wait for a processor.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.LOOP_DELAY_DIR;
const everyMs = 5;

/** Milliseconds that the main thread has run; null: the kernel does not report it. */
const ranMs = () => {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(
      ' ',
    );
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
};

const watchThread = (note) => {
  let last = ranMs();
  setInterval(() => {
    const now = ranMs();
    note(now - last);
    last = now;
  }, everyMs).unref();
};

const watchLoop = (note) => {
  const delays = monitorEventLoopDelay({ resolution: everyMs });
  delays.enable();
  setInterval(() => {
    note(delays.max / 1e6 - everyMs);
    delays.reset();
  }, everyMs).unref();
};

if (isMainThread && folder !== undefined) {
  let max = 0;
  const note = (ms) => {
    max = Math.max(max, ms);
  };
  if (ranMs() === null) watchLoop(note);
  else watchThread(note);
  setInterval(() => {
    appendFileSync(join(folder, String(process.pid)), `${Date.now()} ${max.toFixed(1)}\n`);
    max = 0;
  }, 100).unref();
}
