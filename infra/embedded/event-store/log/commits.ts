type Waiter = Readonly<{ stream: string | null; wake: () => void }>;

/** Wakes those who wait for the log, or one stream of it, to grow. */
export class Commits {
  readonly #waiters = new Set<Waiter>();
  readonly #byStream = new Map<string, Set<Waiter>>();
  #head: number;
  #reopenings = 0;

  constructor(head: number) {
    this.#head = head;
  }

  /** Newest committed position; 0 in an empty log. */
  get head(): number {
    return this.#head;
  }

  publish(head: number, streams: Iterable<string>): void {
    this.#head = head;
    for (const waiter of this.#waiters) waiter.wake();
    for (const stream of streams) {
      for (const waiter of this.#byStream.get(stream) ?? []) waiter.wake();
    }
  }

  /** How often the log was read again after a lost connection: it may be another one since. */
  get reopenings(): number {
    return this.#reopenings;
  }

  reopened(head: number): void {
    this.#reopenings += 1;
    this.reset(head);
  }

  /** Wakes all. */
  reset(head: number): void {
    this.publish(head, [...this.#byStream.keys()]);
  }

  /**
   * Resolves when the log has grown past `seenHead`; for a stream, when that stream has grown.
   * Take `head` before the read that found nothing, or a commit in between goes unnoticed.
   */
  async after(seenHead: number, stream: string | null, signal: AbortSignal): Promise<void> {
    if (this.#head > seenHead || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const set = stream === null ? this.#waiters : this.#setFor(stream);
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        set.delete(waiter);
        if (stream !== null && set.size === 0) this.#byStream.delete(stream);
        resolve();
      };
      const waiter: Waiter = { stream, wake };
      set.add(waiter);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #setFor(stream: string): Set<Waiter> {
    const existing = this.#byStream.get(stream);
    if (existing !== undefined) return existing;
    const created = new Set<Waiter>();
    this.#byStream.set(stream, created);
    return created;
  }
}
