import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { errorOf, stopOf, usageOf } from './finish-reasons.ts';
import { signatureOf } from './google-proof.ts';
import { citationOf, picturesIn, type ReplyNames } from './reply.ts';

/** One event; its name on the wire is its `type`. */
export type MessageEvent = JsonObject & Readonly<{ type: string }>;

export type MessageStream = Readonly<{
  /** The content of one chunk of OpenAI's shape. */
  push: (chunk: JsonObject) => readonly MessageEvent[];
  /** Closes the message; called once, after the last chunk. */
  end: () => readonly MessageEvent[];
  /** Ends the stream with an error in place of `end`. */
  fail: (error: ApiError, requestId: string) => readonly MessageEvent[];
}>;

export type StreamNames = ReplyNames & Readonly<{ inputTokens: number }>;

type Open = { kind: 'text' | 'thinking' } | { kind: 'tool'; place: number };
type Waiting = Readonly<{ id: string; name: string; arguments: string; signature: string }>;

/** Keeps idle connections open; means nothing. */
const pingEvent: MessageEvent = { type: 'ping' };

export const encodeEvent = (event: MessageEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const emptyBlocks = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '', signature: '' },
} as const;

const emptyCall: Waiting = { id: '', name: '', arguments: '', signature: '' };

/** A call with one more piece of it. */
const joinedCall = (known: Waiting, call: JsonObject): Waiting => {
  const own = objectAt(call, 'function');
  return {
    id: known.id || textAt(call, 'id'),
    name: known.name || textAt(own, 'name'),
    arguments: known.arguments + textAt(own, 'arguments'),
    signature: known.signature || signatureOf(call),
  };
};

/** A chat stream as the events of a message: blocks one after the other, each opened and closed. */
export const createMessageStream = (names: StreamNames): MessageStream => {
  let hasBegun = false;
  let open: Open | null = null;
  let blocks = 0;
  let finish: unknown = null;
  let word: unknown = null;
  let usage: JsonObject | null = null;
  let isRefusal = false;
  /** Why the gateway ends an answer early. */
  let notice: JsonObject = {};
  /** Calls that began while another block was open: blocks do not overlap in this protocol. */
  const waiting = new Map<number, Waiting>();
  let hasThought = false;
  /** Signature of the text outside of calls, which follows it. */
  let proof = '';
  const finished = new Set<number>();

  const start = (chunk: JsonObject, out: MessageEvent[]): void => {
    if (hasBegun) return;
    hasBegun = true;
    const message = {
      id: textAt(chunk, 'id') || names.id,
      type: 'message',
      role: 'assistant',
      model: textAt(chunk, 'model') || names.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usageOf({ prompt_tokens: names.inputTokens }), output_tokens: 0 },
    };
    out.push({ type: 'message_start', message }, pingEvent);
  };
  const keepNotice = (chunk: JsonObject): void => {
    if (isObject(chunk.notice)) notice = { notice: chunk.notice };
  };
  const close = (out: MessageEvent[]): void => {
    if (open === null) return;
    out.push({ type: 'content_block_stop', index: blocks });
    blocks += 1;
    open = null;
  };
  const begin = (own: Open, block: JsonObject, out: MessageEvent[]): void => {
    close(out);
    open = own;
    out.push({ type: 'content_block_start', index: blocks, content_block: block });
  };
  const delta = (own: JsonObject, out: MessageEvent[]): void => {
    out.push({ type: 'content_block_delta', index: blocks, delta: own });
  };
  const ensure = (kind: 'text' | 'thinking', out: MessageEvent[]): void => {
    if (open?.kind !== kind) begin({ kind }, emptyBlocks[kind], out);
  };

  const prove = (signature: string, out: MessageEvent[]): void => {
    if (signature === '') return;
    ensure('thinking', out);
    delta({ type: 'signature_delta', signature }, out);
  };
  const think = (own: JsonObject, out: MessageEvent[]): void => {
    const text = textAt(own, 'reasoning_content') || textAt(own, 'reasoning');
    const ownProof = signatureOf(own);
    if (text === '') {
      proof = ownProof || proof;
      return;
    }
    hasThought = true;
    ensure('thinking', out);
    delta({ type: 'thinking_delta', thinking: text }, out);
    prove(ownProof, out);
  };
  const signThoughts = (own: JsonObject, out: MessageEvent[]): void => {
    for (const detail of objectsAt(own, 'reasoning_details')) {
      if (typeof detail.data === 'string') {
        begin({ kind: 'thinking' }, { type: 'redacted_thinking', data: detail.data }, out);
        close(out);
      } else if (typeof detail.signature === 'string' && detail.signature !== '') {
        ensure('thinking', out);
        delta({ type: 'signature_delta', signature: detail.signature }, out);
        // A signature ends its thought; the next one is a separate block.
        close(out);
      }
    }
  };
  const speak = (own: JsonObject, out: MessageEvent[]): void => {
    const refusal = textAt(own, 'refusal');
    if (refusal !== '') isRefusal = true;
    const text = textAt(own, 'content') + refusal + picturesIn(own);
    if (text !== '') {
      ensure('text', out);
      delta({ type: 'text_delta', text }, out);
    }
    for (const annotation of objectsAt(own, 'annotations')) {
      ensure('text', out);
      delta({ type: 'citations_delta', citation: citationOf(annotation) }, out);
    }
  };
  const argue = (text: string, out: MessageEvent[]): void => {
    if (text !== '') delta({ type: 'input_json_delta', partial_json: text }, out);
  };
  const beginTool = (place: number, call: Waiting, out: MessageEvent[]): void => {
    finished.add(place);
    prove(call.signature, out);
    const block = { type: 'tool_use', id: call.id, name: call.name, input: {} };
    begin({ kind: 'tool', place }, block, out);
    argue(call.arguments, out);
  };
  const callTool = (call: JsonObject, out: MessageEvent[]): void => {
    const place = numberAt(call, 'index') ?? 0;
    const text = textAt(objectAt(call, 'function'), 'arguments');
    if (open?.kind === 'tool' && open.place === place) {
      argue(text, out);
      return;
    }
    if (finished.has(place)) return;
    const whole = joinedCall(waiting.get(place) ?? emptyCall, call);
    const mustWait = open?.kind === 'tool' || whole.name === '';
    if (mustWait) waiting.set(place, whole);
    else {
      waiting.delete(place);
      beginTool(place, whole, out);
    }
  };
  const pass = (block: JsonObject, out: MessageEvent[]): void => {
    if (typeof block.type !== 'string') return;
    begin({ kind: 'text' }, block, out);
    close(out);
  };
  /** Only to callers of thoughts: others may take the message for more than a text. */
  const proveWords = (out: MessageEvent[]): void => {
    if (hasThought) prove(proof, out);
  };
  const beginWaiting = (out: MessageEvent[]): void => {
    for (const [place, call] of waiting) beginTool(place, call, out);
    waiting.clear();
  };

  return {
    push: (chunk) => {
      const out: MessageEvent[] = [];
      start(chunk, out);
      if (isObject(chunk.usage)) usage = chunk.usage;
      keepNotice(chunk);
      const choice = objectsAt(chunk, 'choices').find(({ index }) => (index ?? 0) === 0);
      if (choice === undefined) return out;
      const own = objectAt(choice, 'delta');
      think(own, out);
      signThoughts(own, out);
      for (const block of objectsAt(own, 'provider_content')) pass(block, out);
      speak(own, out);
      for (const call of objectsAt(own, 'tool_calls')) callTool(call, out);
      if (typeof choice.finish_reason === 'string') finish = choice.finish_reason;
      word = choice.stop_reason ?? word;
      return out;
    },
    end: () => {
      const out: MessageEvent[] = [];
      start({}, out);
      beginWaiting(out);
      proveWords(out);
      close(out);
      const stop = isRefusal
        ? { stop_reason: 'refusal', stop_sequence: null }
        : stopOf(finish, word);
      const counted = usageOf(usage ?? { prompt_tokens: names.inputTokens });
      out.push({ type: 'message_delta', delta: stop, usage: counted, ...notice });
      out.push({ type: 'message_stop' });
      return out;
    },
    fail: (error, requestId) => [{ ...errorOf(error, requestId), type: 'error' }],
  };
};
