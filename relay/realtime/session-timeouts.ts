const pingEveryMs = 25_000;
const maxClientQuietMs = 3 * pingEveryMs;

/** Longest session and longest time without an event. */
type Bounds = Readonly<{ maxMs: number; idleMs: number }>;

/** Timeouts of a session, advanced by the relay's ticker. */
export class SessionTimeouts {
  private readonly bounds: Bounds;
  private ageMs = 0;
  private quietMs = 0;
  private clientQuietMs = 0;
  private pingMs = 0;

  constructor(bounds: Bounds) {
    this.bounds = bounds;
  }

  /** The client sent a frame or a pong. */
  clientSeen(): void {
    this.clientQuietMs = 0;
  }

  /** An event passed in either direction. */
  eventSeen(): void {
    this.quietMs = 0;
  }

  /** What to do after so much more time; `client-lost`: the client answers no pings. */
  onTick(ms: number): 'too-long' | 'client-lost' | 'ping' | null {
    this.ageMs += ms;
    this.quietMs += ms;
    this.clientQuietMs += ms;
    this.pingMs += ms;
    const { maxMs, idleMs } = this.bounds;
    if (this.ageMs > maxMs || this.quietMs > idleMs) return 'too-long';
    if (this.clientQuietMs > maxClientQuietMs) return 'client-lost';
    if (this.pingMs < pingEveryMs) return null;
    this.pingMs = 0;
    return 'ping';
  }
}
