import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../status.ts';
import type { TelegramUser } from './api.ts';

type WidgetMessage =
  | Readonly<{ kind: 'telegram-user'; user: TelegramUser }>
  | Readonly<{ kind: 'telegram-failed' }>;

type Props = Readonly<{ onUser: (user: TelegramUser) => void }>;

/**
 * Telegram's own button, in a frame whose policy allows Telegram's script. Its result is sent to
 * this page, so that no other page can send one.
 */
export const TelegramWidget = ({ onUser }: Props) => {
  const { t } = useTranslation('login');
  const { telegram_bot_name } = useStatus();
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef(onUser);
  const [isAway, setAway] = useState(false);
  latest.current = onUser;

  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<WidgetMessage>): void => {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow) return;
      if (data.kind === 'telegram-user') latest.current(data.user);
      else if (data.kind === 'telegram-failed') setAway(true);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);

  return (
    <section className="telegram-widget" aria-label={t('telegram')}>
      <iframe
        ref={frame}
        title={t('telegram')}
        src={`/telegram.html?bot=${encodeURIComponent(telegram_bot_name)}`}
      />
      {isAway && <p className="error-text">{t('telegram-failed')}</p>}
    </section>
  );
};
