import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import type { SessionTrace } from '../../infra/ports/tracing.ts';
import { notTicking, type Tickable } from '../delivery/ticker.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { isOwnResponse } from '../kept-responses/response-ids.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { parseObject, textAt } from '../protocol/json.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { createResponseStream, termsOf } from '../protocol/responses/translate.ts';
import { SessionTimeouts } from '../realtime/session-timeouts.ts';
import { AnswerFrames, errorFrame, invalidFrame } from './answer-frames.ts';
import { Continuations } from './continuations.ts';
import {
  type CreateFrame,
  joinedItems,
  outputItems,
  readFrame,
  withConversation,
} from './create-frame.ts';
import { type InnerRequest, innerRequest } from './inner-request.ts';

/** Serves one request; the relay's own handler of requests. */
export type Serve = (req: IncomingMessage, res: ServerResponse) => void;

type Waiting = Readonly<{ frame: CreateFrame; heldBytes: number }>;
/** Responses of one conversation are made one after the other. */
type Conversation = { running: InnerRequest | null; readonly waiting: Waiting[] };

/** Longest connection, as OpenAI has it, and longest time without an event. */
const bounds = { maxMs: 3_600_000, idleMs: 3_600_000 };
/** Conversations at a time on one connection. */
const maxConversations = 32;
const goingAway = 1001;
const path = '/v1/responses';

const shownAs = (type: string, { code, message }: ApiError) => ({
  ...{ type, code, message, param: null },
});

const noRoom = errorFrame(shownAs('server_error', relayError('request_memory_exhausted')), {
  status: 503,
  headers: new Map([['retry-after', '1']]),
});

const tooOld = errorFrame(
  shownAs('invalid_request_error', relayError('websocket_connection_limit_reached')),
  { status: 400 },
);

export type SessionSockets = Readonly<{
  opened: IncomingMessage;
  trace: SessionTrace | null;
  client: WebSocket;
  serve: Serve;
  onOver: () => void;
}>;

/** One connection of the Responses API: each frame of its caller is a separate request. */
export class ResponseSession implements Tickable {
  tickerSlot = notTicking;
  readonly #core: RelayCore;
  readonly #sockets: SessionSockets;
  readonly #timeouts = new SessionTimeouts(bounds);
  readonly #kept = new Continuations();
  readonly #conversations = new Map<string, Conversation>();
  #isLeaving = false;

  constructor(core: RelayCore, sockets: SessionSockets) {
    this.#core = core;
    this.#sockets = sockets;
    const { client } = sockets;
    client.on('message', (data: Buffer, isBinary: boolean) => this.#onFrame(data, isBinary));
    client.on('pong', () => this.#timeouts.clientSeen());
    client.on('error', () => client.terminate());
    client.on('close', () => this.#over());
    core.ticker.add(this);
  }

  /** Ends the connection as soon as no response is in progress. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#conversations.size === 0) this.#sockets.client.close(goingAway);
  }

  kill(): void {
    this.#sockets.client.terminate();
  }

  #send(text: string, taken?: () => void): void {
    const { client } = this.#sockets;
    this.#timeouts.eventSeen();
    if (client.readyState === client.OPEN) client.send(text, () => taken?.());
    else taken?.();
  }

  onTick(ms: number): void {
    const { client } = this.#sockets;
    switch (this.#timeouts.onTick(ms)) {
      case 'ping':
        client.ping();
        break;
      case 'client-lost':
        client.terminate();
        break;
      case 'too-long':
        if (!this.#isLeaving) this.#send(tooOld);
        this.leave();
        break;
      default:
        break;
    }
  }

  #onFrame(data: Buffer, isBinary: boolean): void {
    this.#timeouts.clientSeen();
    this.#timeouts.eventSeen();
    const frame = isBinary ? { problem: 'Frames must be text' } : readFrame(data);
    if ('problem' in frame) {
      this.#send(invalidFrame(frame.problem));
      return;
    }
    const conversation = this.#conversationOf(frame.streamId);
    if (conversation === null) {
      this.#send(invalidFrame(`At most ${maxConversations} streams at a time`));
    } else if (conversation.running === null) this.#begin(conversation, frame);
    else this.#wait(conversation, frame, data.length);
  }

  #wait({ waiting }: Conversation, frame: CreateFrame, heldBytes: number): void {
    if (this.#core.bodies.take(heldBytes, 0)) waiting.push({ frame, heldBytes });
    else this.#send(noRoom);
  }

  #conversationOf(streamId: string): Conversation | null {
    const known = this.#conversations.get(streamId);
    if (known !== undefined) return known;
    if (this.#isLeaving || this.#conversations.size >= maxConversations) return null;
    const conversation: Conversation = { running: null, waiting: [] };
    this.#conversations.set(streamId, conversation);
    return conversation;
  }

  #begin(conversation: Conversation, frame: CreateFrame): void {
    const { previousId, isStored, isInConversation } = frame;
    const known = previousId === '' ? '' : this.#kept.itemsOf(previousId);
    // What the provider keeps is continued there.
    const isOurs = !isStored || isOwnResponse(previousId);
    const isWhole = known !== undefined && !isInConversation && (previousId === '' || isOurs);
    const items = isWhole ? joinedItems(known, frame.items) : null;
    const body = items === null || previousId === '' ? frame.body : withConversation(frame, items);
    if (frame.isGenerated) this.#ask(conversation, frame, { body, items });
    else {
      this.#announce(frame, items);
      this.#next(conversation, frame.streamId);
    }
  }

  #announce(frame: CreateFrame, items: string | null): void {
    if (items !== null) this.#prepare(frame, items);
    else if (frame.isInConversation)
      this.#send(invalidFrame('generate: false has no conversation'));
    else this.#unknown(frame);
  }

  #unknown({ previousId }: CreateFrame): void {
    const message = `Previous response with id '${previousId}' not found.`;
    const more = { code: 'previous_response_not_found', param: 'previous_response_id' };
    this.#send(invalidFrame(message, more));
  }

  /** The caller only prepares input: no provider is called, and nothing charged. */
  #prepare(frame: CreateFrame, items: string): void {
    const body = parseObject(frame.body.toString('utf8')) ?? {};
    const number = `tg${randomUUID().replaceAll('-', '')}`;
    const names = {
      id: `resp_${number}`,
      model: textAt(body, 'model'),
      createdAt: Math.floor(this.#core.clock().getTime() / 1_000),
      newId: () => number,
    };
    this.#kept.keep(names.id, items, frame.previousId);
    const named = frame.streamId === '' ? {} : { stream_id: frame.streamId };
    for (const event of createResponseStream(names, termsOf(body)).end()) {
      this.#send(JSON.stringify({ ...named, ...event }));
    }
  }

  #ask(
    conversation: Conversation,
    frame: CreateFrame,
    { body, items }: Readonly<{ body: Buffer; items: string | null }>,
  ): void {
    const { opened, serve, trace } = this.#sockets;
    const frames = new AnswerFrames(frame.streamId);
    const sendAll = (texts: readonly string[], taken: () => void): void => {
      const last = texts.length - 1;
      if (last < 0) taken();
      for (const [at, text] of texts.entries()) this.#send(text, at === last ? taken : undefined);
    };
    const inner = innerRequest(
      opened,
      { path, body, traceparent: trace?.traceparent ?? null },
      {
        head: (status, headers) => frames.head(status, headers),
        body: (bytes, taken) => sendAll(frames.push(bytes), taken),
        end: () => {
          sendAll(frames.end(), () => {});
          const { response } = frames;
          if (response !== null && items !== null) {
            const whole = joinedItems(items, outputItems(response.output));
            this.#kept.keep(textAt(response, 'id'), whole, frame.previousId);
          }
          conversation.running = null;
          this.#next(conversation, frame.streamId);
        },
      },
    );
    conversation.running = inner;
    serve(inner.req, inner.res);
  }

  #next(conversation: Conversation, streamId: string): void {
    const next = conversation.waiting.shift();
    if (next !== undefined) {
      this.#core.bodies.give(next.heldBytes);
      this.#begin(conversation, next.frame);
      return;
    }
    this.#conversations.delete(streamId);
    if (this.#isLeaving && this.#conversations.size === 0) this.#sockets.client.close(goingAway);
  }

  #over(): void {
    this.#core.ticker.remove(this);
    const all = [...this.#conversations.values()];
    for (const { waiting } of all) {
      for (const { heldBytes } of waiting.splice(0)) this.#core.bodies.give(heldBytes);
    }
    for (const { running } of all) running?.abort();
    this.#sockets.trace?.ended(101);
    this.#sockets.onOver();
  }
}
