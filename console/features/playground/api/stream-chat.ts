import { apiHeaders, failFrom, send } from '../../../shared/api/client.ts';
import { eventData } from '../../../shared/api/event-stream.ts';
import { isRecord } from '../../../shared/local-values.ts';

export type ChatRole = 'user' | 'assistant' | 'system';
export type ChatTurn = Readonly<{ role: ChatRole; content: string }>;
export type ChatRequest = Readonly<{
  messages: readonly ChatTurn[];
  model: string;
  group: string;
  max_tokens: number;
  temperature: number;
}>;
export type ChatEvent =
  | Readonly<{ kind: 'text'; text: string }>
  | Readonly<{ kind: 'error'; text: string }>;

const errorIn = (body: Readonly<Record<string, unknown>>): string | null => {
  if (body.error === undefined || body.error === null) return null;
  const { error } = body;
  return isRecord(error) && typeof error.message === 'string'
    ? error.message
    : JSON.stringify(error);
};

const textIn = (body: Readonly<Record<string, unknown>>): string => {
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : null;
  if (!isRecord(choice) || !isRecord(choice.delta)) return '';
  return typeof choice.delta.content === 'string' ? choice.delta.content : '';
};

/** The text of one event of the stream; null when it has none. */
export const readChatEvent = (data: string): ChatEvent | null => {
  try {
    const body: unknown = JSON.parse(data);
    if (!isRecord(body)) return null;
    const error = errorIn(body);
    if (error !== null) return { kind: 'error', text: error };
    const text = textIn(body);
    return text === '' ? null : { kind: 'text', text };
  } catch {
    return { kind: 'error', text: data };
  }
};

/**
 * POST /pg/chat/completions. Never reconnects: each request is charged.
 * @throws ApiError when the answer is not a stream; an abort as the browser throws it.
 */
export async function* streamChat(
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const response = await send('/pg/chat/completions', {
    method: 'POST',
    headers: { ...apiHeaders(), 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ ...request, stream: true }),
    signal,
  });
  if (!response.ok || response.body === null) {
    await failFrom(response);
    return;
  }
  for await (const data of eventData(response.body)) {
    if (data === '[DONE]') return;
    const event = readChatEvent(data);
    if (event !== null) yield event;
  }
}
