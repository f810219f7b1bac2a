import { Button, TextArea } from '@blueprintjs/core';
import { SendMessage, Stop } from '@blueprintjs/icons';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{
  isRunning: boolean;
  canSend: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}>;

/** Enter sends, Shift+Enter makes a new line; an input method's Enter does neither. */
export const Composer = ({ isRunning, canSend, onSend, onStop }: Props) => {
  const { t } = useTranslation('playground');
  const [text, setText] = useState('');
  const isReady = canSend && !isRunning && text.trim() !== '';
  const submit = () => {
    if (!isReady) return;
    onSend(text.trim());
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        fill
        autoResize
        value={text}
        aria-label={t('message')}
        placeholder={t('placeholder')}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isRunning ? (
        <Button icon={<Stop />} text={t('stop')} onClick={onStop} />
      ) : (
        <Button
          type="submit"
          intent="primary"
          icon={<SendMessage />}
          text={t('send')}
          disabled={!isReady}
        />
      )}
    </form>
  );
};
