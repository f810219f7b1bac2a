import { Drawer } from '@blueprintjs/core';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigation } from 'react-router-dom';
import { readLocal, writeLocal } from '../../shared/local-values.ts';
import { useShownPageTitle } from '../../shared/page-title.ts';
import { paths } from '../../shared/paths.ts';
import { useStoredUser } from '../../shared/session.ts';
import { defaultLogo, defaultSystemName, useStatus } from '../../shared/status.ts';
import { Footer } from './footer.tsx';
import { Sidebar } from './sidebar.tsx';
import { MenuLinks } from './site-links.tsx';
import { Splash } from './splash.tsx';
import { TopBar } from './top-bar.tsx';

/** Pages that take the whole width, without a sidebar. */
const barePaths: readonly string[] = [
  paths.home,
  paths.setup,
  paths.login,
  paths.register,
  paths.reset,
  paths.userReset,
  paths.chatRedirect,
];
const isBare = (pathname: string): boolean =>
  barePaths.includes(pathname) || pathname === paths.chat || pathname.startsWith(`${paths.chat}/`);

const useSiteHead = () => {
  const { system_name, logo } = useStatus();
  const page = useShownPageTitle();
  useEffect(() => {
    const site = system_name || defaultSystemName;
    document.title = page === '' ? site : `${page} · ${site}`;
  }, [system_name, page]);
  useEffect(() => {
    document
      .querySelector<HTMLLinkElement>('link[rel="icon"]')
      ?.setAttribute('href', logo || defaultLogo);
  }, [logo]);
};

const useSidebarChoice = () => {
  const [isCollapsed, setCollapsed] = useState(
    () => readLocal('default_collapse_sidebar') === 'true',
  );
  const toggle = () => {
    writeLocal('default_collapse_sidebar', String(!isCollapsed));
    setCollapsed(!isCollapsed);
  };
  return { isCollapsed, toggle };
};

export const Shell = () => {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const isMoving = useNavigation().state !== 'idle';
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { isCollapsed, toggle } = useSidebarChoice();
  const isSignedIn = useStoredUser() !== null;
  const hasSidebar = isSignedIn && !isBare(pathname);
  const closeMenu = () => setMenuOpen(false);
  useSiteHead();

  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <TopBar onMenu={() => setMenuOpen(true)} />
      {isMoving && <div className="page-progress" role="progressbar" aria-label={t('moving')} />}
      <div className="shell-body">
        {hasSidebar && (
          <aside className="only-wide">
            <Sidebar isCollapsed={isCollapsed} onToggle={toggle} />
          </aside>
        )}
        <div className="shell-main">
          <main id="content" tabIndex={-1} className={hasSidebar ? 'with-sidebar' : 'is-bare'}>
            <Suspense fallback={<Splash />}>
              <Outlet />
            </Suspense>
          </main>
          <Footer />
        </div>
      </div>
      <Drawer isOpen={isMenuOpen} onClose={closeMenu} position="left" size={264} title={t('menu')}>
        <div role="dialog" aria-modal aria-label={t('menu')} className="menu-drawer">
          <MenuLinks onChoose={closeMenu} />
          {isSignedIn && <Sidebar isCollapsed={false} onChoose={closeMenu} />}
        </div>
      </Drawer>
    </div>
  );
};
