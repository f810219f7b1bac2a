import type { JsonObject } from '../canonical.ts';
import { thoughtIn, wordsIn } from '../chat-words.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { finishReasonOf, usageOf } from './finish-reasons.ts';

/** One event; its name on the wire is its `type`. */
export type ChatEvent = JsonObject & Readonly<{ type: string }>;

export type ChatEventStream = Readonly<{
  /** The content of one chunk of OpenAI's shape. */
  push: (chunk: JsonObject) => readonly ChatEvent[];
  /** Closes the message; called once, after the last chunk. */
  end: () => readonly ChatEvent[];
  /** Ends the stream with an error in place of `end`. */
  fail: (message: string) => readonly ChatEvent[];
}>;

export const encodeEvent = (event: ChatEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

type Open = Readonly<{ kind: 'text' | 'thinking' | 'call'; index: number; place: number }>;

const event = (type: string, message: JsonObject, more: JsonObject = {}): ChatEvent => ({
  type,
  ...more,
  delta: { message },
});

/** A chat stream as the events of a v2 message: contents and calls, each opened and closed. */
export const createChatEvents = (id: string): ChatEventStream => {
  let hasBegun = false;
  let open: Open | null = null;
  let contents = 0;
  let calls = 0;
  let citations = 0;
  let finish: unknown = null;
  let word: unknown = null;
  let usage: JsonObject = {};
  let notice: JsonObject = {};

  const begin = (chunk: JsonObject, out: ChatEvent[]): void => {
    if (hasBegun) return;
    hasBegun = true;
    const empty = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
    out.push(event('message-start', empty, { id: textAt(chunk, 'id') || id }));
  };
  const close = (out: ChatEvent[]): void => {
    if (open === null) return;
    const type = open.kind === 'call' ? 'tool-call-end' : 'content-end';
    out.push({ type, index: open.index });
    open = null;
  };
  const say = (kind: 'text' | 'thinking', text: string, out: ChatEvent[]): void => {
    if (text === '') return;
    if (open?.kind !== kind) {
      close(out);
      open = { kind, index: contents, place: -1 };
      contents += 1;
      const content = { type: kind, [kind]: '' };
      out.push(event('content-start', { content }, { index: open.index }));
    }
    out.push(event('content-delta', { content: { [kind]: text } }, { index: open.index }));
  };
  const call = (piece: JsonObject, out: ChatEvent[]): void => {
    const place = numberAt(piece, 'index') ?? 0;
    const own = objectAt(piece, 'function');
    if (open?.kind !== 'call' || open.place !== place) {
      close(out);
      open = { kind: 'call', index: calls, place };
      calls += 1;
      const called = { name: textAt(own, 'name'), arguments: '' };
      const started = { id: textAt(piece, 'id'), type: 'function', function: called };
      out.push(event('tool-call-start', { tool_calls: started }, { index: open.index }));
    }
    const text = textAt(own, 'arguments');
    if (text === '') return;
    const more = { tool_calls: { function: { arguments: text } } };
    out.push(event('tool-call-delta', more, { index: open.index }));
  };
  const cite = (citation: JsonObject, out: ChatEvent[]): void => {
    out.push(event('citation-start', { citations: citation }, { index: citations }));
    out.push({ type: 'citation-end', index: citations });
    citations += 1;
  };
  const speak = (choice: JsonObject, out: ChatEvent[]): void => {
    const delta = objectAt(choice, 'delta');
    say('thinking', thoughtIn(delta), out);
    say('text', wordsIn(delta), out);
    for (const piece of objectsAt(delta, 'tool_calls')) call(piece, out);
    for (const citation of objectsAt(delta, 'citations')) cite(citation, out);
    if (typeof choice.finish_reason === 'string') finish = choice.finish_reason;
    word = choice.stop_reason ?? word;
  };
  const ended = (delta: JsonObject, more: JsonObject = {}): readonly ChatEvent[] => {
    const out: ChatEvent[] = [];
    begin({}, out);
    close(out);
    out.push({ type: 'message-end', id, delta, ...more });
    return out;
  };

  return {
    push: (chunk) => {
      const out: ChatEvent[] = [];
      if (isObject(chunk.usage)) usage = chunk.usage;
      if (isObject(chunk.notice)) notice = { notice: chunk.notice };
      const [choice] = objectsAt(chunk, 'choices');
      if (choice === undefined) return out;
      begin(chunk, out);
      speak(choice, out);
      return out;
    },
    end: () =>
      ended({ finish_reason: finishReasonOf(finish, word), usage: usageOf(usage) }, notice),
    fail: (message) => ended({ finish_reason: 'ERROR', error: message }),
  };
};
