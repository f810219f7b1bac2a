import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { paths } from '../../shared/paths.ts';
import { useStoredUser } from '../../shared/session.ts';
import { useStatus } from '../../shared/status.ts';

type Props = Readonly<{ onChoose?: () => void }>;

/** The pages of the site that everybody may open, and the way to the console. */
export const SiteLinks = ({ onChoose }: Props) => {
  const { t } = useTranslation('shell');
  const chosen = onChoose && { onClick: onChoose };
  return (
    <>
      <NavLink to={paths.home} end {...chosen}>
        {t('home')}
      </NavLink>
      <NavLink to={paths.dashboard} {...chosen}>
        {t('console')}
      </NavLink>
      <NavLink to={paths.pricing} {...chosen}>
        {t('pricing')}
      </NavLink>
      <NavLink to={paths.about} {...chosen}>
        {t('about')}
      </NavLink>
    </>
  );
};

/** The same in the menu of a phone, with what its top bar has no room for. */
export const MenuLinks = ({ onChoose }: Props) => {
  const { t } = useTranslation('shell');
  const user = useStoredUser();
  const { docs_link, self_use_mode_enabled, setup } = useStatus();
  return (
    <nav className="menu-links" aria-label={t('main-menu')}>
      <SiteLinks {...(onChoose && { onChoose })} />
      {docs_link && (
        <a href={docs_link} target="_blank" rel="noreferrer">
          {t('docs')}
        </a>
      )}
      {!user && setup !== false && !self_use_mode_enabled && (
        <NavLink to={paths.register} {...(onChoose && { onClick: onChoose })}>
          {t('sign-up')}
        </NavLink>
      )}
    </nav>
  );
};
