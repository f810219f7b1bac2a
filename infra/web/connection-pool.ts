import type { Socket } from 'node:net';

/** How long after a search for idle connections the next one may follow. */
const sweepEveryMs = 1_000;

/**
 * Connections of one client, or of all, up to a number. When it is full, room is made by closing the
 * connection that has waited longest without sending a whole request head, then those that are idle
 * between two requests: half-open connections cannot keep a caller out.
 */
export class ConnectionPool {
  readonly #max: number;
  readonly #isIdle: (socket: Socket) => boolean;
  readonly #all = new Set<Socket>();
  /** No request head has arrived yet; oldest first. */
  readonly #fresh = new Set<Socket>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(max: number, isIdle: (socket: Socket) => boolean) {
    this.#max = max;
    this.#isIdle = isIdle;
  }

  get size(): number {
    return this.#all.size;
  }

  /** What must be closed before one more fits: null when there is nothing to close. */
  victims(): readonly Socket[] | null {
    if (this.#all.size < this.#max) return [];
    for (const oldest of this.#fresh) return [oldest];
    const now = performance.now();
    if (now - this.#sweptAt < sweepEveryMs) return null;
    this.#sweptAt = now;
    const idle = [...this.#all].filter(this.#isIdle);
    return idle.length === 0 ? null : idle;
  }

  add(socket: Socket): void {
    this.#all.add(socket);
    this.#fresh.add(socket);
  }

  /** A request head has arrived over it. */
  used(socket: Socket): void {
    this.#fresh.delete(socket);
  }

  remove(socket: Socket): void {
    this.#all.delete(socket);
    this.#fresh.delete(socket);
  }
}
