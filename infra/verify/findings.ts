import type { Recorded } from '../../domain/shared/event.ts';
import type { Break, BreakKind } from '../ports/verify.ts';

/** Breaks that are listed one by one; all are counted. */
const listedBreaks = 1_000;

/** Collects what is broken while the log goes by. */
export class Findings {
  readonly #breaks: Break[] = [];
  readonly #counts = new Map<BreakKind, number>();
  /** Two checks may find the same row, for another reason. */
  readonly #rows = new Set<string>();
  readonly notes: string[] = [];

  ofEvent(
    kind: BreakKind,
    { eventId, streamId, position }: Pick<Recorded, 'eventId' | 'streamId' | 'position'>,
    detail: string,
  ): void {
    this.#add({ kind, eventId, streamId, position: String(position), row: null, detail });
  }

  /** Of an event that went by earlier. */
  ofEarlier(
    kind: BreakKind,
    { eventId, streamId, detail }: Readonly<Record<'eventId' | 'streamId' | 'detail', string>>,
  ): void {
    this.#add({ kind, eventId, streamId, position: null, row: null, detail });
  }

  ofRow({
    kind,
    row,
    detail,
    position = null,
    eventId = null,
  }: Pick<Break, 'kind' | 'detail'> &
    Partial<Pick<Break, 'position' | 'eventId'>> &
    Readonly<{ row: string }>): void {
    const name = `${kind} ${row}`;
    if (this.#rows.has(name)) return;
    if (this.#breaks.length < listedBreaks) this.#rows.add(name);
    this.#add({ kind, eventId, streamId: null, position, row, detail });
  }

  note(text: string): void {
    this.notes.push(text);
  }

  noteOnce(text: string): void {
    if (!this.notes.includes(text)) this.note(text);
  }

  /** A projection that was rebuilt meanwhile: what was found there means nothing. */
  dropRowsOf(schema: string): void {
    for (let index = this.#breaks.length - 1; index >= 0; index -= 1) {
      const found = this.#breaks[index];
      const isMissing = found?.kind === 'read-model-missing';
      if (!isMissing && found?.row?.startsWith(`${schema}.`)) {
        this.#breaks.splice(index, 1);
        this.#counts.set(found.kind, (this.#counts.get(found.kind) ?? 1) - 1);
      }
    }
  }

  get breaks(): readonly Break[] {
    return this.#breaks;
  }

  get counts(): Readonly<Partial<Record<BreakKind, number>>> {
    return Object.fromEntries([...this.#counts].filter(([, count]) => count > 0));
  }

  #add(found: Break): void {
    this.#counts.set(found.kind, (this.#counts.get(found.kind) ?? 0) + 1);
    if (this.#breaks.length < listedBreaks) this.#breaks.push(found);
  }
}
