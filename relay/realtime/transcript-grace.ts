import type { Timer } from '../../infra/ports/timers.ts';
import type { RelayCore } from '../execution/relay-core.ts';

/** Transcripts complete within a second or two. */
const maxMs = 5_000;

/** Bounded wait for transcripts that are pending when a session ends. */
export class TranscriptGrace {
  private readonly core: RelayCore;
  private readonly onTimeout: () => void;
  private timer: Timer | null = null;

  constructor(core: RelayCore, onTimeout: () => void) {
    this.core = core;
    this.onTimeout = onTimeout;
  }

  /** Counts as a running request, so that a stop of the relay waits for it too. */
  wait(): void {
    if (this.timer !== null) return;
    const { meters, settings, timers } = this.core;
    meters.exchangeBegan(true);
    this.timer = timers.setTimeout(this.onTimeout, Math.min(maxMs, settings.drainMs));
  }

  close(): void {
    if (this.timer === null) return;
    this.core.timers.clear(this.timer);
    this.timer = null;
    this.core.meters.exchangeEnded(true);
  }
}
