import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../shared/api/report-error.ts';
import { type ChatRequest, type ChatRole, type ChatTurn, streamChat } from '../api/stream-chat.ts';

export type MessageState = 'loading' | 'incomplete' | 'complete' | 'stopped' | 'error';
export type ChatMessage = ChatTurn & Readonly<{ id: number; state: MessageState }>;
export type ChatSettings = Readonly<{
  model: string;
  group: string;
  temperature: number;
  max_tokens: number;
  system: string;
}>;

/** A message that failed is no part of the conversation that goes upstream. */
const asTurns = (messages: readonly ChatMessage[], system: string): readonly ChatTurn[] => [
  ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
  ...messages
    .filter(({ state, content }) => state !== 'error' && content !== '')
    .map(({ role, content }) => ({ role, content })),
];

const requestOf = (messages: readonly ChatMessage[], settings: ChatSettings): ChatRequest => ({
  messages: asTurns(messages, settings.system),
  model: settings.model,
  group: settings.group,
  temperature: settings.temperature,
  max_tokens: settings.max_tokens,
});

export const useChat = (settings: ChatSettings) => {
  const { t } = useTranslation('common');
  const [messages, setMessages] = useState<readonly ChatMessage[]>([]);
  const [running, setRunning] = useState<AbortController | null>(null);
  const nextId = useRef(0);

  const newMessage = (role: ChatRole, content: string, state: MessageState): ChatMessage => {
    nextId.current += 1;
    return { id: nextId.current, role, content, state };
  };
  const changeReply = (id: number, change: (reply: ChatMessage) => ChatMessage) =>
    setMessages((all) => all.map((message) => (message.id === id ? change(message) : message)));

  const follow = async (request: ChatRequest, replyId: number, abort: AbortController) => {
    for await (const event of streamChat(request, abort.signal)) {
      changeReply(replyId, (reply) => ({
        ...reply,
        content: reply.content + event.text,
        state: event.kind === 'error' ? 'error' : 'incomplete',
      }));
      if (event.kind === 'error') return;
    }
    changeReply(replyId, (reply) => ({ ...reply, state: 'complete' }));
  };

  const send = async (text: string): Promise<void> => {
    const question = newMessage('user', text, 'complete');
    const reply = newMessage('assistant', '', 'loading');
    const abort = new AbortController();
    setMessages([...messages, question, reply]);
    setRunning(abort);
    try {
      await follow(requestOf([...messages, question], settings), reply.id, abort);
    } catch (error) {
      changeReply(reply.id, (before) =>
        abort.signal.aborted
          ? { ...before, state: 'stopped' }
          : {
              ...before,
              content: (error instanceof Error && error.message) || errorText(error, t),
              state: 'error',
            },
      );
    } finally {
      setRunning(null);
    }
  };

  return {
    messages,
    isRunning: running !== null,
    send,
    stop: () => running?.abort(),
    clear: () => {
      running?.abort();
      setMessages([]);
    },
  };
};
