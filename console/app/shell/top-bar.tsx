import { AnchorButton, Button, MenuItem, PopoverNext, Tag } from '@blueprintjs/core';
import {
  Document as DocumentIcon,
  Flash,
  Menu as MenuIcon,
  Moon,
  Tick,
  Translate,
} from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ActionMenu } from '../../shared/components/action-menu.tsx';
import { paths } from '../../shared/paths.ts';
import { useStoredUser } from '../../shared/session.ts';
import { defaultLogo, defaultSystemName, useStatus } from '../../shared/status.ts';
import { changeLanguage, currentLanguage, type Language } from '../i18n.ts';
import { chooseTheme, useTheme } from '../theme.ts';
import { PaletteButton } from './palette-button.tsx';
import { SiteLinks } from './site-links.tsx';
import { UserMenu } from './user-menu.tsx';

/** Each language is called by its own name, whatever language the page is in. */
const languageNames: Readonly<Record<Language, string>> = { zh: '中文', en: 'English' };

const LanguageMenu = () => {
  const { t } = useTranslation('shell');
  const current = currentLanguage();
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      content={
        <ActionMenu>
          {(['zh', 'en'] as const).map((language) => (
            <MenuItem
              key={language}
              text={languageNames[language]}
              lang={language}
              labelElement={current === language ? <Tick /> : undefined}
              onClick={() => void changeLanguage(language)}
            />
          ))}
        </ActionMenu>
      }
    >
      <Button variant="minimal" icon={<Translate />} aria-label={t('language')} />
    </PopoverNext>
  );
};

const ThemeSwitch = () => {
  const { t } = useTranslation('shell');
  const isDark = useTheme() === 'dark';
  return (
    <Button
      variant="minimal"
      icon={isDark ? <Flash /> : <Moon />}
      aria-label={isDark ? t('theme-light') : t('theme-dark')}
      title={isDark ? t('theme-light') : t('theme-dark')}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    />
  );
};

const ModeBadge = () => {
  const { t } = useTranslation('shell');
  const status = useStatus();
  if (status.self_use_mode_enabled) {
    return (
      <Tag className="tone tone-purple" minimal round>
        {t('self-use')}
      </Tag>
    );
  }
  return status.demo_site_enabled ? (
    <Tag className="tone tone-blue" minimal round>
      {t('demo')}
    </Tag>
  ) : null;
};

const Visitor = () => {
  const { t } = useTranslation('shell');
  const { self_use_mode_enabled, setup } = useStatus();
  if (setup === false) return null;
  return (
    <>
      <Link className="bp6-button bp6-minimal" to={paths.login}>
        {t('log-in')}
      </Link>
      {!self_use_mode_enabled && (
        <Link className="bp6-button bp6-intent-primary only-wide" to={paths.register}>
          {t('sign-up')}
        </Link>
      )}
    </>
  );
};

/** The logo of the site; one that cannot be loaded gives way to the one of the product. */
const Logo = ({ address }: Readonly<{ address: string }>) => {
  const [failed, setFailed] = useState('');
  const source = address === '' || address === failed ? defaultLogo : address;
  return <img src={source} alt="" width={28} height={28} onError={() => setFailed(address)} />;
};

type Props = Readonly<{ onMenu: () => void }>;

export const TopBar = ({ onMenu }: Props) => {
  const { t } = useTranslation('shell');
  const status = useStatus();
  const user = useStoredUser();
  return (
    <header className="top-bar">
      <Button
        className="only-narrow"
        variant="minimal"
        icon={<MenuIcon />}
        aria-label={t('open-menu')}
        onClick={onMenu}
      />
      <Link to={paths.home} className="brand">
        <Logo address={status.logo} />
        <span>{status.system_name || defaultSystemName}</span>
      </Link>
      <ModeBadge />
      <nav className="top-links only-wide" aria-label={t('main-menu')}>
        <SiteLinks />
      </nav>
      <div className="top-tools">
        {status.docs_link && (
          <AnchorButton
            variant="minimal"
            className="only-wide"
            icon={<DocumentIcon />}
            text={t('docs')}
            href={status.docs_link}
            target="_blank"
            rel="noreferrer"
          />
        )}
        {user && <PaletteButton />}
        <ThemeSwitch />
        <LanguageMenu />
        {user ? <UserMenu user={user} /> : <Visitor />}
      </div>
    </header>
  );
};
