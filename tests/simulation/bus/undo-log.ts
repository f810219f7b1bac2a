/**
 * How to revert changes, newest first: a server that loses power starts with the state that it had
 * synced, and the seed decides how old that is.
 */
export class UndoLog {
  readonly #now: () => number;
  #changes: { at: number; revert: () => void }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  note(revert: () => void): void {
    this.#changes.push({ at: this.#now(), revert });
  }

  /** Number of changes that were taken back. */
  rollBackTo(moment: number): number {
    let count = 0;
    for (let last = this.#changes.at(-1); last !== undefined; last = this.#changes.at(-1)) {
      if (last.at <= moment) break;
      this.#changes.pop();
      last.revert();
      count += 1;
    }
    return count;
  }
}
