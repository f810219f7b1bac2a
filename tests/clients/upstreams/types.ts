import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Answer, Conversation, Counted } from './scene.ts';
import type { Json } from './wire.ts';

export type UpstreamCall = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  body: Json;
}>;

/** What a provider answers with, and what it bills for it. */
export type Reply = Readonly<{
  id: string;
  conversation: Conversation;
  answer: Answer;
  counted: Counted;
}>;

/** One API of a provider. */
export type Shape = Readonly<{
  /** @throws Violation, Unauthorized */
  read: (call: UpstreamCall) => Conversation;
  send: (res: ServerResponse, reply: Reply) => void;
  fail: (res: ServerResponse, status: number, message: string) => void;
}>;
