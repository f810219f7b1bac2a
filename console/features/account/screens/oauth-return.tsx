import { Spinner } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { callForAnswer } from '../../../shared/api/client.ts';
import { reportError } from '../../../shared/api/report-error.ts';
import type { OAuthProvider } from '../../../shared/login/api.ts';
import { paths } from '../../../shared/paths.ts';
import { storeUser } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.ts';

type Props = Readonly<{ provider: OAuthProvider }>;

/**
 * The page to which a provider sends the browser back. Passes its parameters on, once: a state is
 * valid for one call, and React mounts twice in development.
 */
export const OAuthReturn = ({ provider }: Props) => {
  const { t } = useTranslation('login');
  const { t: common } = useTranslation('common');
  const navigate = useNavigate();
  const { search } = useLocation();
  const wasSent = useRef(false);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    if (wasSent.current) return;
    wasSent.current = true;
    const handOver = async () => {
      const returned = Object.fromEntries(new URLSearchParams(search));
      const route = `GET /api/oauth/${provider}` as const;
      const { message, data } = await callForAnswer(route, { query: returned });
      if (message === 'bind' || data === undefined) {
        toast('success', t('bound'));
        return navigate(paths.setting, { replace: true });
      }
      if ('second_factor' in data) {
        const state = { question: data.second_factor };
        return navigate(paths.login, { replace: true, state });
      }
      storeUser(data);
      toast('success', t('signed-in'));
      return navigate(paths.token, { replace: true });
    };
    handOver().catch((error: unknown) => {
      setFailed(true);
      reportError(error, common);
      void navigate(paths.setting, { replace: true });
    });
  }, [provider, search, navigate, t, common]);

  return (
    <div className="oauth-return" role="status">
      <Spinner />
      <p>{t(hasFailed ? 'failed' : 'processing')}</p>
    </div>
  );
};

export const GitHubReturn = () => <OAuthReturn provider="github" />;
export const OidcReturn = () => <OAuthReturn provider="oidc" />;
export const LinuxDoReturn = () => <OAuthReturn provider="linuxdo" />;
