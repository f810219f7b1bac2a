import { Lock } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { paths } from '../../shared/paths.ts';
import { useIsAdmin, useStoredUser, wasExpired } from '../../shared/session.ts';
import { useStatus } from '../../shared/status.ts';

/** Until the site is set up there is only one page. */
export const RequireSetup = () => {
  const { setup } = useStatus();
  const { pathname } = useLocation();
  return setup === false && pathname !== paths.setup ? (
    <Navigate to={paths.setup} replace />
  ) : (
    <Outlet />
  );
};

export const RequireUser = () => {
  const user = useStoredUser();
  if (user !== null) return <Outlet />;
  return <Navigate to={wasExpired() ? `${paths.login}?expired=true` : paths.login} replace />;
};

/** The server refuses anyway; this spares the visitor a page of errors. */
export const RequireAdmin = () => {
  const { t } = useTranslation('shell');
  return useIsAdmin() ? (
    <Outlet />
  ) : (
    <EmptyState
      icon={<Lock size={36} />}
      title={t('no-permission')}
      hint={t('no-permission-hint')}
      action={<Link to={paths.personal}>{t('to-personal')}</Link>}
    />
  );
};
