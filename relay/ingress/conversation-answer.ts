import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../protocol/canonical.ts';
import { noteErrorsOf } from '../protocol/error-note.ts';
import { isObject, parseObject } from '../protocol/json.ts';
import { type AnswerSink, innerRequest } from '../response-sockets/inner-request.ts';

/** Why an answer is not part of its conversation; null: it is. */
export type NotAdded = Readonly<{ code: string; message: string }> | null;

type Joining = Readonly<{
  id: string;
  /** Adds a finished response to the conversation. */
  add: (response: JsonObject) => Promise<NotAdded>;
}>;

const namesResponse = /"response\.(created|queued|in_progress|completed|incomplete|failed)"/;
const eventEnd = /(\r?\n\r?\n)/;
const ofTheConnection = /^(connection|date|keep-alive|transfer-encoding)$/;
const finished: ReadonlySet<unknown> = new Set(['completed', 'incomplete']);

const dataOf = (event: string): JsonObject | null =>
  parseObject(
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart())
      .join('\n'),
  );

/**
 * An answer of the Responses API on its way to the caller, whichever provider gave it: its response
 * names the conversation, and joins it before the caller sees the end.
 */
class ConversationAnswer {
  readonly #res: ServerResponse;
  readonly #joining: Joining;
  #kind: 'as-it-is' | 'events' | 'whole' = 'as-it-is';
  #head: readonly [status: number, headers: string[]] = [500, []];
  readonly #chunks: Buffer[] = [];
  readonly #decoder = new TextDecoder();
  #unread = '';
  /** One piece after the other: the end of an answer waits for the store. */
  #work: Promise<void> = Promise.resolve();

  constructor(res: ServerResponse, joining: Joining) {
    this.#res = res;
    this.#joining = joining;
  }

  readonly head: AnswerSink['head'] = (status, headers) => {
    const type = headers.get('content-type') ?? '';
    if (status === 200 && type.startsWith('text/event-stream')) this.#kind = 'events';
    else if (status === 200) this.#kind = 'whole';
    const kept = [...headers].filter(
      ([name]) =>
        !ofTheConnection.test(name) && (this.#kind === 'as-it-is' || name !== 'content-length'),
    );
    this.#head = [status, kept.flat()];
    if (this.#kind !== 'whole') this.#res.writeHead(...this.#head);
  };

  readonly body: AnswerSink['body'] = (bytes, taken) => {
    if (this.#kind === 'whole') {
      this.#chunks.push(bytes);
      taken();
    } else if (this.#kind === 'as-it-is') this.#write(bytes, taken);
    else {
      this.#after(async () => this.#write(await this.#events(bytes), taken));
    }
  };

  /** The last part; not whole: the answer broke off. */
  end(isWhole: boolean): void {
    this.#after(async () => {
      if (!isWhole) this.#res.destroy();
      else if (this.#kind === 'whole') await this.#endWhole();
      else this.#res.end(await this.#shown(this.#unread));
    });
  }

  #after(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(() => void this.#res.destroy());
  }

  #write(bytes: Buffer | string, taken: () => void): void {
    if (bytes.length === 0 || this.#res.destroyed || this.#res.write(bytes)) taken();
    else this.#res.once('drain', taken);
  }

  async #endWhole(): Promise<void> {
    const bytes = Buffer.concat(this.#chunks);
    const response = parseObject(bytes.toString('utf8'));
    const shown =
      response === null ? bytes : Buffer.from(JSON.stringify(await this.#named(response)));
    const [status, headers] = this.#head;
    if (this.#res.destroyed) return;
    this.#res.writeHead(status, [...headers, 'Content-Length', String(shown.length)]);
    this.#res.end(shown);
  }

  async #events(bytes: Buffer): Promise<string> {
    this.#unread += this.#decoder.decode(bytes, { stream: true });
    const parts = this.#unread.split(eventEnd);
    this.#unread = parts.pop() ?? '';
    const shown: string[] = [];
    for (const part of parts) shown.push(await this.#shown(part));
    return shown.join('');
  }

  async #shown(event: string): Promise<string> {
    const data = namesResponse.test(event) ? dataOf(event) : null;
    if (data === null || !isObject(data.response)) return event;
    const response = await this.#named(data.response);
    const json = JSON.stringify({ ...data, response });
    return `event: ${String(data.type)}\ndata: ${json}`;
  }

  async #named(response: JsonObject): Promise<JsonObject> {
    const { id, add } = this.#joining;
    const notAdded = finished.has(response.status) ? await add(response) : null;
    return notAdded === null
      ? { ...response, conversation: { id } }
      : { ...response, conversation: null, notice: notAdded };
  }
}

const noBody = Buffer.alloc(0);

/** Where the answer of a call in a conversation is written, in place of `res`. */
export const answerInConversation = (
  { req, res }: Readonly<{ req: IncomingMessage; res: ServerResponse }>,
  joining: Joining,
): ServerResponse => {
  const answer = new ConversationAnswer(res, joining);
  const inner = innerRequest(
    req,
    { path: req.url ?? '', body: noBody, traceparent: null },
    {
      head: answer.head,
      body: answer.body,
      end: () => answer.end(inner.res.writableFinished),
    },
  );
  noteErrorsOf(inner.req, req);
  res.on('close', inner.abort);
  return inner.res;
};
