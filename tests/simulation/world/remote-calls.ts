import type { Machine } from './machine.ts';
import type { Network } from './network.ts';

/** The connection broke or there was no answer: it is unknown whether the call took effect. */
export class LineBrokenError extends Error {
  constructor(server: Machine) {
    super(`no answer from ${server.name}`);
    this.name = 'LineBrokenError';
  }
}

export interface RemoteCalls {
  readonly machine: Machine;
  /**
   * Runs `serve` at the server and brings its answer back.
   * @throws LineBrokenError, and what `serve` throws
   */
  call<T>(serve: () => T): Promise<T>;
}

type Needs = Readonly<{
  network: Network;
  machine: Machine;
  server: Machine;
  attemptMs: number;
  /** Milliseconds that the server takes for the current call. */
  workMs?: () => number;
}>;

/** Calls from the process that runs on `machine` to a server: one request, one answer. */
export const createRemoteCalls = (needs: Needs): RemoteCalls => {
  const { network, machine, server, attemptMs, workMs } = needs;
  const pending = new Set<() => void>();
  // One watcher for all calls: it ends with the process, whose answers are dropped.
  network.watch(machine, server, (isUp) => {
    if (!isUp) for (const lose of [...pending]) lose();
  });

  const call = <T>(serve: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!network.isUp(machine, server)) {
        reject(new LineBrokenError(server));
        return;
      }
      let finish = (): void => reject(new LineBrokenError(server));
      // Bound here: an answer for a process that is gone must not wake a promise of its.
      const settle = machine.bind(() => {
        if (!pending.delete(settle)) return;
        machine.timers.clear(timer);
        finish();
      });
      const timer = machine.timers.setTimeout(settle, attemptMs);
      pending.add(settle);
      const answer = (outcome: () => void): void =>
        network.send(server, machine, () => {
          finish = outcome;
          settle();
        });
      network.send(machine, server, () => {
        try {
          const result = serve();
          const ms = workMs?.() ?? 0;
          const done = () => answer(() => resolve(result));
          if (ms === 0) done();
          else server.timers.setTimeout(done, ms);
        } catch (error) {
          answer(() => reject(error));
        }
      });
    });
  return { machine, call };
};
