import type { ServerResponse } from 'node:http';
import { z } from 'zod';

/** A JSON object of unknown members. */
export type Json = Record<string, unknown>;
const object = z.record(z.string(), z.unknown());

export const objectOf = (value: unknown): Json => object.safeParse(value).data ?? {};
export const objectsOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(objectOf) : [];
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Content as one text: a text, or parts of which each has one. */
export const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objectsOf(content)
        .map(({ text }) => textOf(text))
        .join('');

export const sendJson = (res: ServerResponse, status: number, value: unknown): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

export const sendEvents = (res: ServerResponse, events: readonly string[]): void => {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) res.write(event);
  res.end();
};

export const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const namedEvent = (value: Json): string => `event: ${textOf(value.type)}\n${event(value)}`;

/** In two pieces, so that a stream has to be joined. */
export const halves = (text: string): readonly [string, string] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};
