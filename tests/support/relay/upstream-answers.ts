import type { IncomingMessage, ServerResponse } from 'node:http';

export type Answer = (req: IncomingMessage, res: ServerResponse, body: Buffer) => void;

export const json =
  (value: object, status = 200): Answer =>
  (_req, res) => {
    const text = JSON.stringify(value);
    res.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };

export const chatAnswer = (usage: object | null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4o-mini',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hi there' }, finish_reason: 'stop' },
  ],
  ...(usage === null ? {} : { usage }),
});

export const usageOf = (prompt: number, completion: number): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

export const chunkEvent = (content: string, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more })}\n\n`;

export const usageChunk = (usage: object): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage })}\n\n`;

export const doneEvent = 'data: [DONE]\n\n';

export const sse =
  (parts: readonly string[]): Answer =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) res.write(part);
    res.end();
  };
