import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { ConnectPanel } from '../../../shared/connect/connect-panel.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import { paths } from '../../../shared/paths.ts';
import { useStoredUser } from '../../../shared/session.ts';
import { defaultSystemName, type PublicStatus, useStatus } from '../../../shared/status.ts';
import { Prices } from './prices.tsx';

const signInWays = [
  'email_verification',
  'github_oauth',
  'oidc_enabled',
  'wechat_login',
  'turnstile_check',
  'telegram_oauth',
  'linuxdo_oauth',
] as const;

const SystemFacts = ({ status }: Readonly<{ status: PublicStatus }>) => {
  const { t } = useTranslation('home');
  return (
    <details className="home-status">
      <summary>{t('system-status')}</summary>
      <div className="home-facts">
        <div className="panel panel-body">
          <h2 className="panel-title">{t('system-info')}</h2>
          <dl className="facts">
            <dt>{t('name')}</dt>
            <dd>{status.system_name || defaultSystemName}</dd>
            <dt>{t('version')}</dt>
            <dd>{status.version || t('unknown')}</dd>
            <dt>{t('started')}</dt>
            <dd>{formatSeconds(status.start_time)}</dd>
            <dt>{t('licence')}</dt>
            <dd>Apache-2.0</dd>
          </dl>
        </div>
        <div className="panel panel-body">
          <h2 className="panel-title">{t('system-config')}</h2>
          <dl className="facts">
            {signInWays.map((login) => (
              <div key={login} className="facts-row">
                <dt>{t(`way.${login}`)}</dt>
                <dd>
                  <ToneTag colour={status[login] ? 'green' : 'grey'}>
                    {status[login] ? t('on') : t('off')}
                  </ToneTag>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </details>
  );
};

const primary = 'bp6-button bp6-intent-primary bp6-large';
const secondary = 'bp6-button bp6-large';

/** The first is what most readers need. */
const actionsFor = (isSignedIn: boolean, isOpen: boolean) => {
  if (isSignedIn) {
    return [
      { to: paths.token, text: 'open-console' },
      { to: paths.playground, text: 'try-playground' },
    ] as const;
  }
  const signIn = { to: paths.login, text: 'sign-in' } as const;
  return isOpen ? ([{ to: paths.register, text: 'sign-up' }, signIn] as const) : [signIn];
};

export const Welcome = () => {
  const { t } = useTranslation(['home', 'connect']);
  const status = useStatus();
  const user = useStoredUser();
  return (
    <>
      <section className="hero">
        <h1>{t('headline')}</h1>
        <p>{t('lead')}</p>
        <div className="button-row hero-actions">
          {actionsFor(user !== null, !status.self_use_mode_enabled).map(({ to, text }, index) => (
            <Link key={text} className={index === 0 ? primary : secondary} to={to}>
              {t(text)}
            </Link>
          ))}
        </div>
        <div className="hero-connect panel panel-body">
          <h2 className="panel-title">{t('connect:title')}</h2>
          <ConnectPanel />
        </div>
      </section>
      <Prices />
      <ul className="hero-points">
        {(['one-address', 'exact-books', 'any-provider'] as const).map((point) => (
          <li key={point}>
            <h2>{t(`point.${point}`)}</h2>
            <p>{t(`point.${point}-text`)}</p>
          </li>
        ))}
      </ul>
      <SystemFacts status={status} />
    </>
  );
};
