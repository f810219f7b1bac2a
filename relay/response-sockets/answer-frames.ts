import type { JsonObject } from '../protocol/canonical.ts';
import { isObject, parseObject, textAt } from '../protocol/json.ts';

const endings: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete']);
const mayEnd = /"response\.(completed|incomplete|failed)"|"error"/;

/** Headers of a refusal that a caller over HTTP would read. */
const shownHeaders =
  /^(retry-after|x-request-id|x-ratelimit-.*|anthropic-ratelimit-.*|content-type)$/;

const noJson = { message: 'The answer broke off', type: 'server_error', code: 'server_error' };

/** An error as an event of a connection, which stays open. */
export const errorFrame = (
  error: JsonObject,
  { status, headers }: Readonly<{ status: number; headers?: ReadonlyMap<string, string> }>,
): string =>
  JSON.stringify({
    type: 'error',
    status,
    error,
    ...(headers === undefined
      ? {}
      : { headers: Object.fromEntries([...headers].filter(([name]) => shownHeaders.test(name))) }),
  });

export const invalidFrame = (message: string, more: JsonObject = {}): string =>
  errorFrame(
    { type: 'invalid_request_error', code: 'invalid_request', message, param: null, ...more },
    { status: 400 },
  );

/** An answer over HTTP as the frames of a connection. */
export class AnswerFrames {
  readonly #streamId: string;
  #status = 0;
  #headers: ReadonlyMap<string, string> = new Map();
  #unread = '';
  #decoder = new TextDecoder();
  #isOver = false;
  /** The response, when it is whole. */
  response: JsonObject | null = null;

  constructor(streamId: string) {
    this.#streamId = streamId;
  }

  head(status: number, headers: ReadonlyMap<string, string>): void {
    this.#status = status;
    this.#headers = headers;
  }

  push(bytes: Buffer): readonly string[] {
    this.#unread += this.#decoder.decode(bytes, { stream: true });
    if (!this.#isOfEvents) return [];
    const events = this.#unread.split(/\r?\n\r?\n/);
    this.#unread = events.pop() ?? '';
    return events.flatMap((event) => this.#frameOf(event));
  }

  /** What is still to be sent when the answer has ended. */
  end(): readonly string[] {
    if (this.#isOver) return [];
    const body = this.#isOfEvents ? null : parseObject(this.#unread);
    if (body !== null && this.#status === 200) return [this.#ended(body)];
    const status = this.#status >= 400 ? this.#status : 502;
    const error = isObject(body?.error) ? body.error : noJson;
    return [this.#named(errorFrame(error, { status, headers: this.#headers }))];
  }

  get #isOfEvents(): boolean {
    return this.#headers.get('content-type')?.startsWith('text/event-stream') === true;
  }

  #frameOf(event: string): readonly string[] {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart())
      .join('\n');
    if (!data.startsWith('{')) return [];
    if (mayEnd.test(data)) this.#see(parseObject(data) ?? {});
    return [this.#named(data)];
  }

  #see(event: JsonObject): void {
    const type = textAt(event, 'type');
    if (endings.has(type) && isObject(event.response)) this.response = event.response;
    if (endings.has(type) || type === 'response.failed' || type === 'error') this.#isOver = true;
  }

  /** A provider that does not stream has only the end to report. */
  #ended(response: JsonObject): string {
    this.response = response;
    const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    return this.#named(JSON.stringify({ type, sequence_number: 0, response }));
  }

  #named(json: string): string {
    if (this.#streamId === '') return json;
    return `{"stream_id":${JSON.stringify(this.#streamId)},${json.slice(1)}`;
  }
}
