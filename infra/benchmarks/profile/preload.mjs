/*
 * Preloaded into every Node process of a benchmark that is profiled; `?folder=` is where files go. Leaves `<pid>.on`
 * there. SIGUSR2 starts V8's sampling profiler of the main thread; the next one ends it and leaves `<pid>.cpuprofile`.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const samplingMicros = 500;
const folder = new URL(import.meta.url).searchParams.get('folder');

/** Answers of a session to its own process arrive before `post` returns. */
const openProfiler = () => {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: samplingMicros });
  return session;
};

const write = (path, text) => {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
};

if (isMainThread && folder !== null) {
  let session = null;
  process.on('SIGUSR2', () => {
    if (session === null) {
      session = openProfiler();
      session.post('Profiler.start');
      return;
    }
    session.post('Profiler.stop', (error, answer) => {
      if (error !== null) throw error;
      write(join(folder, `${process.pid}.cpuprofile`), JSON.stringify(answer.profile));
    });
    session.disconnect();
    session = null;
  });
  write(join(folder, `${process.pid}.on`), '');
}
