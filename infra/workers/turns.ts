type Waiting = Readonly<{ begin: () => void; cancel: (reason: unknown) => void }>;

/**
 * Places for jobs. Where all are taken, owners take turns: each gets one job in before an owner that
 * has already had a turn gets its next.
 */
export class Turns {
  private free: number;
  /** Owners in the order of their turns, with the waiting jobs of each in order of arrival. */
  private readonly waiting = new Map<string, Set<Waiting>>();

  constructor(places: number) {
    this.free = places;
  }

  /** Resolves with a place, which `leave` gives back. @throws the reason of `signal` once it aborts */
  enter(owner: string, signal: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.forget(owner, waiting);
        waiting.cancel(signal.reason);
      };
      const waiting: Waiting = {
        begin: () => {
          signal.removeEventListener('abort', abort);
          resolve();
        },
        cancel: reject,
      };
      signal.addEventListener('abort', abort, { once: true });
      const own = this.waiting.get(owner);
      if (own === undefined) this.waiting.set(owner, new Set([waiting]));
      else own.add(waiting);
    });
  }

  leave(): void {
    for (const [owner, own] of this.waiting) {
      for (const next of own) {
        this.forget(owner, next);
        // Behind all others that wait.
        if (this.waiting.delete(owner)) this.waiting.set(owner, own);
        next.begin();
        return;
      }
    }
    this.free += 1;
  }

  /** Ends what waits. */
  close(): void {
    const reason = new Error('The worker threads are closed');
    for (const own of this.waiting.values()) for (const { cancel } of own) cancel(reason);
    this.waiting.clear();
  }

  private forget(owner: string, waiting: Waiting): void {
    const own = this.waiting.get(owner);
    own?.delete(waiting);
    if (own?.size === 0) this.waiting.delete(owner);
  }
}
