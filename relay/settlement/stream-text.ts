import { roughTokens } from './rough-tokens.ts';

/** Raw events kept before they are boiled down to their text, which is some thirty times smaller. */
const maxRawBytes = 262_144;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const toolText = (calls: unknown): string => {
  if (!Array.isArray(calls)) return '';
  return calls
    .map((call: unknown) => {
      const called = isFields(call) ? call.function : null;
      return isFields(called) ? textOf(called.name) + textOf(called.arguments) : '';
    })
    .join('');
};

const partOf = (choice: Fields): unknown =>
  isFields(choice.delta) ? choice.delta : choice.message;

const choiceThought = (choice: unknown): string => {
  const part = isFields(choice) ? partOf(choice) : null;
  return isFields(part) ? textOf(part.reasoning_content ?? part.reasoning) : '';
};

/** What a model thought aloud in an answer or chunk of OpenAI's shape. */
export const thoughtText = (answer: unknown): string => {
  if (!isFields(answer) || !Array.isArray(answer.choices)) return '';
  if (answer.choices.length === 1) return choiceThought(answer.choices[0]);
  return answer.choices.map(choiceThought).join('');
};

const choiceText = (choice: unknown): string => {
  if (!isFields(choice)) return '';
  const part = partOf(choice);
  if (!isFields(part)) return textOf(choice.text);
  const reasoning = part.reasoning_content ?? part.reasoning;
  return textOf(reasoning) + textOf(part.content) + toolText(part.tool_calls);
};

/** The text that a parsed answer or chunk produced; errors produce none. */
export const producedText = (answer: unknown): string => {
  if (!isFields(answer) || !Array.isArray(answer.choices)) return '';
  // Nearly every chunk has one choice.
  if (answer.choices.length === 1) return choiceText(answer.choices[0]);
  return answer.choices.map(choiceText).join('');
};

const errorTypes: ReadonlySet<unknown> = new Set(['error', 'response.failed']);

const isError = (answer: unknown): boolean =>
  isFields(answer) && (isFields(answer.error) || errorTypes.has(answer.type));

export type StreamText = Readonly<{
  /** No text was sent, and nothing arrived that might have been text. */
  isEmpty: boolean;
  /** An error arrived in the middle of the stream. */
  hasError: boolean;
}>;

/** Comments and the other fields of events; anything else is the rest of a broken line. */
const isField = (line: string): boolean => line === '' || /^(?:event|id|retry)?:/.test(line);

/** Text kept for the count; beyond it the rest is taken at the usual density. */
const maxKeptChars = 1_048_576;
const asIs = (line: string): boolean => line.length < 16 || line.trim() === '[DONE]';

/** Keeps the text of a stream, in case its upstream never reports usage. */
export class StreamRecord {
  private raw: Buffer[] = [];
  private rawBytes = 0;
  private text = '';
  private chars = 0;
  private roughly = 0;
  private thoughts = 0;
  private hasError = false;
  private readonly textOf: (answer: unknown) => string;

  constructor(textOf: (answer: unknown) => string = producedText) {
    this.textOf = textOf;
  }

  add(events: Buffer): void {
    this.raw.push(events);
    this.rawBytes += events.length;
    if (this.rawBytes > maxRawBytes) this.boil();
  }

  read(): StreamText {
    this.boil();
    return { isEmpty: this.chars === 0, hasError: this.hasError };
  }

  /** The text, or about how many tokens it was where it was too much to keep. */
  produced(): string | number {
    this.boil();
    return this.chars > this.text.length ? Math.ceil(this.roughly) : this.text;
  }

  /** Bytes that the model thought aloud. */
  thoughtBytes(): number {
    this.boil();
    return this.thoughts;
  }

  private boil(): void {
    const lines = Buffer.concat(this.raw)
      .toString('utf8')
      .split(/\r\n?|\n/);
    this.raw = [];
    this.rawBytes = 0;
    for (const line of lines) {
      if (line.startsWith('data:')) this.readLine(line.slice(5));
      else if (!isField(line)) this.unread(line);
    }
  }

  private readLine(json: string): void {
    try {
      const chunk: unknown = JSON.parse(json);
      this.keep(this.textOf(chunk));
      this.thoughts += Buffer.byteLength(thoughtText(chunk));
      if (isError(chunk)) this.hasError = true;
    } catch {
      // `[DONE]`, or a piece of a line too long to be held: its size is the only witness.
      if (!asIs(json)) this.unread(json);
    }
  }

  /** Only its size is available. */
  private unread(line: string): void {
    this.chars += line.length;
    this.roughly += roughTokens(line);
  }

  private keep(text: string): void {
    this.chars += text.length;
    this.roughly += roughTokens(text);
    if (this.text.length < maxKeptChars) this.text += text;
  }
}
