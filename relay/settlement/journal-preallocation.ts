import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { SegmentFile } from './journal-segment-file.ts';

type Settings = Readonly<{ timers: Timers; logger: Logger; segmentBytes: number }>;

/** Zeros are written in steps between requests: all at once would hold these up. */
const stepBytes = 256 * 1024;
const stepMs = 5;

/** Takes space for files before records need it. */
export class Preallocation {
  readonly #settings: Settings;
  readonly #onRefused: () => void;
  #hasSpace = true;
  #isStopped = false;

  constructor(settings: Settings, onRefused: () => void) {
    this.#settings = settings;
    this.#onRefused = onRefused;
  }

  /** False when the disk refused the last file its space. */
  get hasSpace(): boolean {
    return this.#hasSpace;
  }

  begin(file: SegmentFile): void {
    const { timers, segmentBytes } = this.#settings;
    const step = (): void => {
      const length = Math.min(segmentBytes, file.allocated + stepBytes);
      if (this.#isStopped || file.isLeft) return;
      if (!this.#grow(file, length) || length === segmentBytes) return;
      timers.setTimeout(step, stepMs).unref();
    };
    timers.setTimeout(step, stepMs).unref();
  }

  /** The rest of it now; true when it has all of its space. */
  finish(file: SegmentFile): boolean {
    return this.#grow(file, this.#settings.segmentBytes);
  }

  stop(): void {
    this.#isStopped = true;
  }

  #grow(file: SegmentFile, length: number): boolean {
    const { logger } = this.#settings;
    try {
      file.allocate(length);
      if (!this.#hasSpace) logger.info({}, 'there is room for the journal again');
      this.#hasSpace = true;
      return true;
    } catch (error) {
      if (this.#hasSpace) logger.error({ error: String(error) }, 'no room for the journal');
      this.#hasSpace = false;
      this.#onRefused();
      return false;
    }
  }
}
