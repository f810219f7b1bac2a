import { wordIn } from '../admission/sensitive-words.ts';
import type { ContentFilter } from '../feeds/content-filter.ts';
import type { WordMatcher } from '../feeds/word-matcher.ts';
import { firstEventEnd } from '../settlement/event-terminator.ts';
import { producedText } from '../settlement/stream-text.ts';

/** Text kept so that a word split over two events is detected; longer than any word of a list. */
const tailChars = 256;
const asterisk = 0x2a;

type TextOf = (answer: unknown) => string;

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
};

/** The text of a piece of a stream. */
const eventsText = (events: Buffer, textOf: TextOf): string =>
  events
    .toString('utf8')
    .split(/\r\n?|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => textOf(parsed(line.slice(5))))
    .join('');

export type GuardedEvents = Readonly<{ allowed: Buffer; isOver: boolean }>;

type Terms = Readonly<{ stops: boolean; textOf: TextOf; onDetected: (word: string) => void }>;

/** Listens to one answer for words of the operator's list. */
export class AnswerGuard {
  private readonly words: WordMatcher;
  private readonly textOf: TextOf;
  private tail = '';
  private readonly stops: boolean;
  /** The word goes to the log alone. */
  private readonly onDetected: (word: string) => void;
  private hasDetected = false;

  constructor(words: WordMatcher, { stops, textOf, onDetected }: Terms) {
    this.words = words;
    this.stops = stops;
    this.textOf = textOf;
    this.onDetected = onDetected;
  }

  /** What may pass of these events: one that holds a word ends the answer, where words do. */
  events(bytes: Buffer): GuardedEvents {
    for (let start = 0; start < bytes.length; ) {
      const size = firstEventEnd(bytes.subarray(start));
      const end = size === -1 ? bytes.length : start + size;
      const isOver = this.takeText(eventsText(bytes.subarray(start, end), this.textOf));
      if (isOver) return { allowed: bytes.subarray(0, start), isOver };
      start = end;
    }
    return { allowed: this.masked(bytes), isOver: false };
  }

  /** True when the answer is to end here. */
  takeText(text: string): boolean {
    if (text === '') return false;
    const together = this.tail + text;
    this.tail = together.slice(-tailChars);
    if (!this.hasDetected) {
      const word = wordIn(this.words, together);
      if (word !== null) {
        this.hasDetected = true;
        this.onDetected(word);
      }
    }
    return this.stops && this.hasDetected;
  }

  /** The same for an answer in one piece. */
  whole(bytes: Buffer): Buffer | null {
    return this.takeText(this.textOf(parsed(bytes.toString('utf8')))) ? null : this.masked(bytes);
  }

  masked(bytes: Buffer): Buffer {
    if (this.stops) return bytes;
    let hit = this.words.next(bytes);
    if (hit === null) return bytes;
    const copy = Buffer.from(bytes);
    for (; hit !== null; hit = this.words.next(copy, hit.end))
      copy.fill(asterisk, hit.start, hit.end);
    return copy;
  }
}

type Listening = Readonly<{ filter: ContentFilter; detected(word: string): void }>;

/** null: answers are not listened to, which is how it usually is. */
export const guardFor = (
  listening: Listening,
  textOf: TextOf = producedText,
): AnswerGuard | null => {
  const { completion, stops } = listening.filter;
  if (completion === null) return null;
  const onDetected = (word: string): void => listening.detected(word);
  return new AnswerGuard(completion, { stops, textOf, onDetected });
};
