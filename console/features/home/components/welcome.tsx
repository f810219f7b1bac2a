import { Button } from '@blueprintjs/core';
import { Clipboard } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useCopy } from '../../../shared/clipboard.ts';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import { paths } from '../../../shared/paths.ts';
import { useStoredUser } from '../../../shared/session.ts';
import { defaultSystemName, type PublicStatus, useStatus } from '../../../shared/status.ts';

/** A request that works as soon as the key is filled in. */
const exampleFor = (address: string) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer sk-..." \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "gpt-4o-mini",
    "messages": [{"role": "user", "content": "Hello"}]
  }'`;

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
    <section className="home-facts" aria-label={t('system-status')}>
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
    </section>
  );
};

export const Welcome = () => {
  const { t } = useTranslation('home');
  const status = useStatus();
  const user = useStoredUser();
  const copy = useCopy();
  const address = status.server_address || window.location.origin;
  return (
    <>
      <section className="hero">
        <h1>{t('headline')}</h1>
        <p>{t('lead')}</p>
        <div className="button-row hero-actions">
          <Link
            className="bp6-button bp6-intent-primary bp6-large"
            to={user ? paths.token : paths.login}
          >
            {user ? t('open-console') : t('sign-in')}
          </Link>
          {user && (
            <Link className="bp6-button bp6-large" to={paths.playground}>
              {t('try-playground')}
            </Link>
          )}
        </div>
        <div className="hero-code">
          <div className="hero-code-head">
            <span>{t('example')}</span>
            <Button
              variant="minimal"
              size="small"
              icon={<Clipboard />}
              text={t('copy')}
              onClick={() => void copy(exampleFor(address), t('example-copied'))}
            />
          </div>
          <pre>
            <code>{exampleFor(address)}</code>
          </pre>
        </div>
      </section>
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
