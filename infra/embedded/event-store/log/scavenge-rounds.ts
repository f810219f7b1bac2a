import type { Logger } from '../../../ports/logger.ts';
import type { Log } from './log.ts';

/** A first round soon after the start, then one in the hour; what is deleted goes at once anyway. */
const firstRoundMs = 60_000;
const roundMs = 3_600_000;

/** Rounds of the scavenger by the clock, until they are stopped. */
export class ScavengeRounds {
  readonly #log: Log;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(log: Log, logger: Logger) {
    this.#log = log;
    this.#logger = logger;
  }

  schedule(afterMs = firstRoundMs): void {
    this.#timer = setTimeout(() => {
      void this.run().finally(() => {
        if (!this.#isStopped) this.schedule(roundMs);
      });
    }, afterMs).unref();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Returns how many events it removed; null when it failed. */
  async run(signal?: AbortSignal): Promise<number | null> {
    try {
      return await this.#log.scavenger.round(signal);
    } catch (error) {
      this.#logger.warn({ error: String(error) }, 'the scavenge failed, another one follows');
      return null;
    }
  }
}
