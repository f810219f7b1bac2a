import { Spinner } from '@blueprintjs/core';
import { Chat, Error as ErrorIcon } from '@blueprintjs/icons';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { RichText } from '../../../shared/components/rich-text.tsx';
import type { ChatMessage } from './use-chat.ts';

const Message = ({ message }: Readonly<{ message: ChatMessage }>) => {
  const { t } = useTranslation('playground');
  const { role, content, state } = message;
  return (
    <li className={`message is-${role} ${state === 'error' ? 'is-error' : ''}`}>
      <div className="message-role">{role === 'user' ? t('you') : t('assistant')}</div>
      <div className="message-body" role={state === 'error' ? 'alert' : undefined}>
        {state === 'loading' && <Spinner size={16} aria-label={t('waiting')} />}
        {state === 'error' && <ErrorIcon />}
        {/* While it streams, plain text: Markdown cut in half jumps about. */}
        {role === 'assistant' && (state === 'complete' || state === 'stopped') ? (
          <RichText text={content} />
        ) : (
          <span className="plain-text">{content}</span>
        )}
      </div>
      {state === 'stopped' && <div className="subtle">{t('stopped')}</div>}
    </li>
  );
};

export const Conversation = ({ messages }: Readonly<{ messages: readonly ChatMessage[] }>) => {
  const { t } = useTranslation('playground');
  const end = useRef<HTMLDivElement>(null);
  const length = messages.reduce((sum, { content }) => sum + content.length, messages.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the text as it grows
  useEffect(() => {
    end.current?.scrollIntoView?.({ block: 'nearest' });
  }, [length]);
  if (messages.length === 0) {
    return <EmptyState icon={<Chat size={36} />} title={t('empty')} hint={t('empty-hint')} />;
  }
  return (
    <div className="conversation">
      <ol aria-live="polite" aria-label={t('conversation')}>
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ol>
      <div ref={end} />
    </div>
  );
};
