import type { ContentFilter } from '../feeds/content-filter.ts';
import type { TextOperation } from '../protocol/calls.ts';
import { parseJson, parseObject } from '../protocol/json.ts';
import { type AnswerWords, answerWords, type TextHit } from './answer-words.ts';
import { dataOf, firstEvent, withData } from './sse-events.ts';
import { type TextLeaf, textLeaves, writeLeaf } from './text-leaves.ts';

/** A part of an answer that may go to the caller. */
export type AllowedPart<T> = Readonly<{ source: T; value: unknown; isChanged: boolean }>;

type Part<T> = { source: T; value: unknown; isChanged: boolean; heldLeaves: number };
type Piece<T> = { part: Part<T>; leaf: TextLeaf; text: string; start: number };
/** One text that arrives in pieces: what of it is not yet decided. */
type Track<T> = { text: string; pieces: Piece<T>[] };

type Terms = Readonly<{
  words: AnswerWords;
  /** A word ends the answer; otherwise it is masked. */
  stops: boolean;
  /** The word goes to the log alone. */
  onDetected: (word: string) => void;
}>;

/** A text that has not continued after so many parts has ended. */
const maxHeldParts = 32;

/**
 * Searches the texts of one answer for the operator's words. A part whose text ends with what may
 * begin a word waits for the next one, and with it all that follow.
 */
export class AnswerGuard<T> {
  private readonly terms: Terms;
  private readonly tracks = new Map<string, Track<T>>();
  private queue: Part<T>[] = [];
  private hasDetected = false;
  /** The answer ends with what was allowed so far. */
  isOver = false;

  constructor(terms: Terms) {
    this.terms = terms;
  }

  /** Takes the next part; `value` is its JSON, in which words are masked. */
  add(source: T, value: unknown): void {
    if (this.isOver) return;
    const part: Part<T> = { source, value, isChanged: false, heldLeaves: 0 };
    this.queue.push(part);
    for (const leaf of textLeaves(value)) {
      if (this.isOver) writeLeaf(leaf, '');
      else this.addText(part, leaf);
    }
  }

  /** What may go to the caller now. */
  allowed(): readonly AllowedPart<T>[] {
    if (this.isOver) return this.rest();
    const max = maxHeldParts + this.tracks.size;
    let count = 0;
    for (const part of this.queue) {
      if (part.heldLeaves > 0 && this.queue.length - count <= max) break;
      if (part.heldLeaves > 0) this.release(part);
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  /** The rest: no more follows. */
  rest(): readonly AllowedPart<T>[] {
    return this.queue.splice(0);
  }

  private addText(part: Part<T>, leaf: TextLeaf): void {
    const { words, stops } = this.terms;
    const track = this.tracks.get(leaf.track) ?? { text: '', pieces: [] };
    this.tracks.set(leaf.track, track);
    track.pieces.push({ part, leaf, text: leaf.text, start: track.text.length });
    track.text += leaf.text;
    part.heldLeaves += 1;
    for (const hit of words.all(track.text)) {
      this.detect(hit.word);
      if (stops) {
        this.endAt(track, hit);
        return;
      }
      mask(track, hit);
    }
    settle(track, track.text.length - words.begunIn(track.text));
  }

  private detect(word: string): void {
    if (!this.hasDetected) this.terms.onDetected(word);
    this.hasDetected = true;
  }

  /** Nothing of the word is allowed, nor anything behind it. */
  private endAt({ pieces }: Track<T>, { start }: TextHit): void {
    this.isOver = true;
    const piece = pieces.find((one) => one.start + one.text.length > start);
    if (piece === undefined) return;
    const before = piece.text.slice(0, Math.max(0, start - piece.start));
    writeLeaf(piece.leaf, before);
    piece.part.isChanged = true;
    this.queue = this.queue.slice(0, this.queue.indexOf(piece.part) + (before === '' ? 0 : 1));
  }

  /** Its text did not continue. */
  private release(part: Part<T>): void {
    for (const track of this.tracks.values()) {
      track.pieces = track.pieces.filter((piece) => piece.part !== part);
    }
  }
}

/** Makes a word unreadable in the parts that hold it. */
const mask = <T>(track: Track<T>, { start, end }: TextHit): void => {
  const stars = '*'.repeat(end - start);
  track.text = track.text.slice(0, start) + stars + track.text.slice(end);
  for (const piece of track.pieces) {
    const to = piece.start + piece.text.length;
    if (piece.start >= end || to <= start) continue;
    piece.text = track.text.slice(piece.start, to);
    piece.part.isChanged = true;
    writeLeaf(piece.leaf, piece.text);
  }
};

/** The letters before `from` are decided. */
const settle = <T>(track: Track<T>, from: number): void => {
  const { pieces } = track;
  let [first] = pieces;
  while (first !== undefined && first.start + first.text.length <= from) {
    first.part.heldLeaves -= 1;
    pieces.shift();
    first = pieces[0];
  }
  const cut = Math.min(from, first?.start ?? from);
  track.text = track.text.slice(cut);
  for (const piece of pieces) piece.start -= cut;
};

/** The same for server-sent events, as bytes. */
export class EventsGuard {
  private readonly guard: AnswerGuard<Buffer>;

  constructor(guard: AnswerGuard<Buffer>) {
    this.guard = guard;
  }

  get isOver(): boolean {
    return this.guard.isOver;
  }

  /** What may pass of these events and of those before. */
  events(bytes: Buffer): Buffer {
    for (let rest = bytes; rest.length > 0; ) {
      const event = firstEvent(rest);
      const data = dataOf(event);
      this.guard.add(event, data === null ? null : parseJson(data));
      rest = rest.subarray(event.length);
    }
    return written(this.guard.allowed());
  }

  rest(): Buffer {
    return written(this.guard.rest());
  }
}

const written = (events: readonly AllowedPart<Buffer>[]): Buffer =>
  Buffer.concat(
    events.map(({ source, value, isChanged }) =>
      isChanged ? withData(source, JSON.stringify(value)) : source,
    ),
  );

/** An answer in one piece; null: a word of it ends it. */
export const guardedAnswer = (guard: AnswerGuard<Buffer>, answer: Buffer): Buffer | null => {
  const text = answer.toString('utf8');
  const json = parseObject(text);
  const value = json ?? { text };
  guard.add(answer, value);
  if (guard.isOver) return null;
  if (guard.rest()[0]?.isChanged !== true) return answer;
  return Buffer.from(json === null ? String(value.text) : JSON.stringify(json));
};

/** What produces no text. */
const unchecked: ReadonlySet<TextOperation> = new Set(['embeddings', 'rerank', 'speech']);

type Host = Readonly<{
  filter: ContentFilter;
  admitted: Readonly<{ call: Readonly<{ operation: TextOperation }> }>;
  detected(word: string): void;
}>;

/** null: answers are not searched, which is how it usually is. */
export const guardFor = <T>(host: Host): AnswerGuard<T> | null => {
  const { completion, stops } = host.filter;
  if (completion === null || unchecked.has(host.admitted.call.operation)) return null;
  const onDetected = (word: string): void => host.detected(word);
  return new AnswerGuard({ words: answerWords(completion), stops, onDetected });
};

export const eventsGuardFor = (host: Host): EventsGuard | null => {
  const guard = guardFor<Buffer>(host);
  return guard === null ? null : new EventsGuard(guard);
};
