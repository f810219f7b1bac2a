import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadScript } from '../load-script.ts';
import { readLocal } from '../local-values.ts';
import { useStatus } from '../status.ts';
import { toast } from '../toast.ts';

const turnstileScript = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

type Turnstile = Readonly<{
  render: (place: HTMLElement, options: Readonly<Record<string, unknown>>) => string;
  remove: (widget: string) => void;
}>;

const turnstile = (): Turnstile | undefined =>
  (window as unknown as { turnstile?: Turnstile }).turnstile;

type WidgetProps = Readonly<{ siteKey: string; onToken: (token: string) => void }>;

const Widget = ({ siteKey, onToken }: WidgetProps) => {
  const { t } = useTranslation('login');
  const place = useRef<HTMLDivElement>(null);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    let widget: string | null = null;
    let isGone = false;
    loadScript(turnstileScript).then(
      () => {
        if (isGone || !place.current) return;
        widget =
          turnstile()?.render(place.current, {
            sitekey: siteKey,
            theme: readLocal('theme-mode') === 'dark' ? 'dark' : 'light',
            callback: onToken,
            'expired-callback': () => onToken(''),
          }) ?? null;
      },
      () => setAway(true),
    );
    return () => {
      isGone = true;
      if (widget !== null) turnstile()?.remove(widget);
    };
  }, [siteKey, onToken]);
  return (
    <section className="human-check" aria-label={t('human-check')}>
      <div ref={place} />
      {isAway && <p className="error-text">{t('human-failed')}</p>}
    </section>
  );
};

export type HumanCheck = Readonly<{
  /** "" while the check is off or unsolved. */
  token: string;
  /** True, with a hint, while the check is on and unsolved: nothing may be sent then. */
  isPending: () => boolean;
  /** A token is valid once; after a refusal the next one is requested. */
  renew: () => void;
  /** null while the operator has the check off. */
  widget: ReactNode;
}>;

/** Whether a user is in front of the screen, where the operator requires the proof. */
export const useHumanCheck = (): HumanCheck => {
  const { t } = useTranslation('login');
  const { turnstile_check, turnstile_site_key } = useStatus();
  const [token, setToken] = useState('');
  const [round, setRound] = useState(0);
  const keep = useCallback((next: string) => setToken(next), []);
  return {
    token,
    isPending: () => {
      if (!turnstile_check || token !== '') return false;
      toast('info', t('human-wait'));
      return true;
    },
    renew: () => {
      setToken('');
      setRound(round + 1);
    },
    widget: turnstile_check ? (
      <Widget key={round} siteKey={turnstile_site_key} onToken={keep} />
    ) : null,
  };
};
