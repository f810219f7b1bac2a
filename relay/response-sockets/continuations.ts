/** Characters of the conversations that one connection keeps. */
const defaultMaxChars = 8_388_608;

/** Conversations of one connection by their last response; the oldest make room for the newest. */
export class Continuations {
  readonly #maxChars: number;
  readonly #items = new Map<string, string>();
  #chars = 0;

  constructor(maxChars = defaultMaxChars) {
    this.#maxChars = maxChars;
  }

  /** The items up to this response; undefined: it is not kept here. */
  itemsOf(responseId: string): string | undefined {
    return this.#items.get(responseId);
  }

  /** The response that it continues gives way to it. */
  keep(responseId: string, items: string, previousId: string): void {
    this.#drop(previousId);
    this.#drop(responseId);
    if (items.length > this.#maxChars) return;
    for (const oldest of this.#items.keys()) {
      if (this.#chars + items.length <= this.#maxChars) break;
      this.#drop(oldest);
    }
    this.#items.set(responseId, items);
    this.#chars += items.length;
  }

  #drop(responseId: string): void {
    const known = this.#items.get(responseId);
    if (known === undefined) return;
    this.#items.delete(responseId);
    this.#chars -= known.length;
  }
}
