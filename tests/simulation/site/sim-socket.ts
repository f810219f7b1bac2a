type Listener = (...args: readonly unknown[]) => void;
type Arrived = Readonly<{ name: 'message' | 'close'; args: readonly unknown[] }>;

/** Messages of a socket to the other side of its connection. */
export type Wire = Readonly<{ message: (text: string) => void; close: () => void }>;

/** One end of a websocket, with the members that a session uses. */
export class SimSocket {
  readonly OPEN = 1;
  readonly CLOSED = 3;
  readonly bufferedAmount = 0;
  readyState = 1;
  isPaused = true;
  readonly #wire: Wire;
  readonly #listeners = new Map<string, Listener[]>();
  /** While there is no reader. */
  readonly #arrived: Arrived[] = [];

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  on(name: string, listener: Listener): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  /** Calls back when it is written, as a library does. */
  send(data: Buffer | string, ...rest: readonly unknown[]): void {
    const onWritten = rest.at(-1);
    if (this.readyState !== this.OPEN) return;
    this.#wire.message(data.toString());
    if (typeof onWritten === 'function') void Promise.resolve().then(() => onWritten());
  }

  close(): void {
    if (this.readyState !== this.OPEN) return;
    this.readyState = this.CLOSED;
    this.#wire.close();
  }

  terminate(): void {
    this.close();
  }

  ping(): void {}

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    while (!this.isPaused) {
      const next = this.#arrived.shift();
      if (next === undefined) return;
      this.#tell(next);
    }
  }

  /** From the other side. */
  receive(text: string): void {
    this.#arrive({ name: 'message', args: [Buffer.from(text), false] });
  }

  /** The other side has closed it. */
  closed(): void {
    this.readyState = this.CLOSED;
    this.#arrive({ name: 'close', args: [] });
  }

  #arrive(arrived: Arrived): void {
    if (this.isPaused) this.#arrived.push(arrived);
    else this.#tell(arrived);
  }

  #tell({ name, args }: Arrived): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(...args);
  }
}
