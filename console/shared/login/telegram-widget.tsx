import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../status.ts';
import type { TelegramUser } from './api.ts';

const widgetScript = 'https://telegram.org/js/telegram-widget.js?22';
/** The widget calls a global function by name. */
const callbackName = 'onTelegramAuth';

type Props = Readonly<{ onUser: (user: TelegramUser) => void }>;

/** Telegram's own button. Its result comes to this page, so that no other page can hand one in. */
export const TelegramWidget = ({ onUser }: Props) => {
  const { t } = useTranslation('login');
  const { telegram_bot_name } = useStatus();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onUser);
  const [isAway, setAway] = useState(false);
  latest.current = onUser;

  useEffect(() => {
    const host = place.current;
    if (!host) return;
    Object.assign(window, { [callbackName]: (user: TelegramUser) => latest.current(user) });
    const script = document.createElement('script');
    script.src = widgetScript;
    script.async = true;
    script.dataset.telegramLogin = telegram_bot_name;
    script.dataset.size = 'medium';
    script.dataset.onauth = `${callbackName}(user)`;
    script.onerror = () => setAway(true);
    host.append(script);
    return () => host.replaceChildren();
  }, [telegram_bot_name]);

  return (
    <section className="telegram-widget" aria-label={t('telegram')}>
      <div ref={place} />
      {isAway && <p className="error-text">{t('telegram-failed')}</p>}
    </section>
  );
};
