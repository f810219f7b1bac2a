const pingEveryMs = 25_000;
const longestDeafMs = 3 * pingEveryMs;

/** How long a session may last, and how long nobody may say a word in it. */
type Bounds = Readonly<{ longestMs: number; idleMs: number }>;

/** The times of a session, told by the relay's own beat. */
export class Watch {
  private readonly bounds: Bounds;
  private ageMs = 0;
  private quietMs = 0;
  private deafMs = 0;
  private pingMs = 0;

  constructor(bounds: Bounds) {
    this.bounds = bounds;
  }

  /** The client is there. */
  alive(): void {
    this.deafMs = 0;
  }

  /** Somebody said something. */
  spoken(): void {
    this.quietMs = 0;
  }

  /** What is to be done after so much more time; `deaf`: the client is not there any more. */
  beat(ms: number): 'too-long' | 'deaf' | 'ping' | null {
    this.ageMs += ms;
    this.quietMs += ms;
    this.deafMs += ms;
    this.pingMs += ms;
    const { longestMs, idleMs } = this.bounds;
    if (this.ageMs > longestMs || this.quietMs > idleMs) return 'too-long';
    if (this.deafMs > longestDeafMs) return 'deaf';
    if (this.pingMs < pingEveryMs) return null;
    this.pingMs = 0;
    return 'ping';
  }
}
