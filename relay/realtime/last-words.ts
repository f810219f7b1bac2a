import type { RelayCore } from '../relay-core.ts';

/** Providers write down a sentence within a second or two. */
const longestMs = 5_000;

/** A transcript on its way when a session ends: it is waited for, but not for long. */
export class LastWords {
  private readonly core: RelayCore;
  private readonly giveUp: () => void;
  private timer: NodeJS.Timeout | null = null;

  constructor(core: RelayCore, giveUp: () => void) {
    this.core = core;
    this.giveUp = giveUp;
  }

  /** A relay that stops waits as well: this counts as a request that runs. */
  wait(): void {
    if (this.timer !== null) return;
    this.core.meters.exchangeBegan(true);
    this.timer = setTimeout(this.giveUp, Math.min(longestMs, this.core.settings.drainMs));
  }

  close(): void {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.core.meters.exchangeEnded(true);
  }
}
