import { Button, Callout } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RichText } from '../../../shared/components/rich-text.tsx';
import { readLocal, writeLocal } from '../../../shared/local-values.ts';
import { useHomeContent, useNotice } from '../api/get-home.ts';
import { Welcome } from '../components/welcome.tsx';

/** Shown until it is closed; the same text is never shown twice. */
const Notice = ({ text }: Readonly<{ text: string }>) => {
  const { t } = useTranslation('home');
  const [closed, setClosed] = useState(() => readLocal('notice'));
  if (text === '' || closed === text) return null;
  const close = () => {
    writeLocal('notice', text);
    setClosed(text);
  };
  return (
    <Callout className="notice" intent="primary" icon={false} title={t('notice')}>
      <Button
        className="notice-close"
        variant="minimal"
        size="small"
        icon={<Cross />}
        aria-label={t('close-notice')}
        onClick={close}
      />
      <RichText text={text} />
    </Callout>
  );
};

export const Home = () => {
  const { t } = useTranslation('home');
  const notice = useNotice();
  const content = useHomeContent();
  const text = content.data ?? '';
  if (text.startsWith('https://')) {
    return (
      <iframe
        className="home-frame"
        src={text}
        title={t('frame')}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
      />
    );
  }
  return (
    <div className="home">
      <Notice text={notice.data ?? ''} />
      {text === '' ? (
        <Welcome />
      ) : (
        <div className="home-content">
          <RichText text={text} />
        </div>
      )}
    </div>
  );
};
