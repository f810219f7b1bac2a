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

const choiceText = (choice: unknown): string => {
  if (!isFields(choice)) return '';
  const part = isFields(choice.delta) ? choice.delta : choice.message;
  if (!isFields(part)) return textOf(choice.text);
  const reasoning = part.reasoning_content ?? part.reasoning;
  return textOf(reasoning) + textOf(part.content) + toolText(part.tool_calls);
};

/** The text that a parsed answer or chunk produced; errors produce none. */
export const producedText = (answer: unknown): string => {
  if (!isFields(answer) || !Array.isArray(answer.choices)) return '';
  return answer.choices.map(choiceText).join('');
};

const errorTypes: ReadonlySet<unknown> = new Set(['error', 'response.failed']);

const isError = (answer: unknown): boolean =>
  isFields(answer) && (isFields(answer.error) || errorTypes.has(answer.type));

export type StreamText = Readonly<{
  text: string;
  /** An error came in the middle of the stream. */
  hasError: boolean;
}>;

/** Keeps what a stream said, in case its upstream never says what it used. */
export class StreamRecord {
  private raw: Buffer[] = [];
  private rawBytes = 0;
  private text = '';
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
    return { text: this.text, hasError: this.hasError };
  }

  private boil(): void {
    const lines = Buffer.concat(this.raw).toString('utf8').split('\n');
    this.raw = [];
    this.rawBytes = 0;
    for (const line of lines) if (line.startsWith('data:')) this.readLine(line.slice(5));
  }

  private readLine(json: string): void {
    try {
      const chunk: unknown = JSON.parse(json);
      this.text += this.textOf(chunk);
      if (isError(chunk)) this.hasError = true;
    } catch {
      // `[DONE]`, or a line that the upstream broke off.
    }
  }
}
