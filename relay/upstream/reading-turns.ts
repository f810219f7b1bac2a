/** A call with bytes that wait for their turn. */
export interface WaitingCall {
  /** Hands one piece on; how many bytes it was. */
  takeTurn(): number;
}

/** What the calls of one owner hand on in one turn of the event loop. */
const maxTurnBytes = 131_072;
/** Shorter pieces are what slow providers send: a socket gives one of them a turn. */
export const largeBytes = 8_192;

/**
 * Shares the event loop between owners: what one of them reads beyond its share of a turn waits for
 * the next one, in order, so that between two shares everything else is served.
 */
export class ReadingTurns {
  private readonly takenBytes = new Map<number, number>();
  private readonly waiting = new Map<number, WaitingCall[]>();
  private isScheduled = false;

  /** false: this piece has to wait. */
  take(owner: number, bytes: number): boolean {
    const bytesSoFar = this.takenBytes.get(owner) ?? 0;
    if (bytesSoFar >= maxTurnBytes || this.waiting.has(owner)) return false;
    this.takenBytes.set(owner, bytesSoFar + bytes);
    this.schedule();
    return true;
  }

  wait(owner: number, call: WaitingCall): void {
    const calls = this.waiting.get(owner);
    if (calls === undefined) this.waiting.set(owner, [call]);
    else calls.push(call);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    this.isScheduled = false;
    this.takenBytes.clear();
    for (const [owner, calls] of [...this.waiting]) {
      let bytes = 0;
      while (bytes < maxTurnBytes) {
        const call = calls.shift();
        if (call === undefined) break;
        bytes += call.takeTurn();
      }
      this.takenBytes.set(owner, bytes);
      if (calls.length === 0) this.waiting.delete(owner);
    }
    if (this.takenBytes.size > 0) this.schedule();
  }
}
