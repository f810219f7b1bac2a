import { InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { tabNames } from './option-fields.ts';
import { type Found, searchSections } from './section-search.ts';
import { addressOf, type Section, sections, sectionTitle } from './sections.ts';

type Props = Readonly<{
  /** Null on a phone, where the list is a separate page. */
  current: Section | null;
}>;

const everything: readonly Found[] = sections.map((section) => ({ section, options: [] }));

/** All sections of the settings by their tab, and a search over what is in them. */
export const SettingNav = ({ current }: Props) => {
  const { t } = useTranslation('setting');
  const [word, setWord] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const here = current?.id;
  useEffect(() => {
    const active = list.current?.querySelector<HTMLElement>('[aria-current]');
    // The list alone is scrolled: a page that moved on its own would lose the reader's place.
    if (here && active && list.current) {
      const { clientHeight, offsetTop: above } = list.current;
      list.current.scrollTop = Math.max(0, active.offsetTop - above - clientHeight / 2);
    }
  }, [here]);
  const found = word.trim() === '' ? everything : searchSections(word, t);
  const linkTo = ({ section, options }: Found) => {
    const isHere = current?.id === section.id && current.tab === section.tab;
    return (
      <li key={section.id}>
        <Link
          to={addressOf(section)}
          className={isHere ? 'setting-link is-active' : 'setting-link'}
          {...(isHere && { 'aria-current': 'page' as const })}
        >
          {t(sectionTitle(section))}
        </Link>
        {options.length > 0 && (
          <ul>
            {options.map((key) => (
              <li key={key}>
                <Link to={addressOf(section, key)} className="setting-link is-option">
                  {t(`label.${key}`)}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </li>
    );
  };
  return (
    <nav className="setting-nav" aria-label={t('sections')}>
      <InputGroup
        type="search"
        leftIcon={<Search className="input-icon" />}
        aria-label={t('find')}
        placeholder={t('find')}
        value={word}
        onValueChange={setWord}
      />
      <div ref={list} className="setting-nav-list">
        {tabNames.map((tab) => {
          const own = found.filter(({ section }) => section.tab === tab);
          return (
            own.length > 0 && (
              <div key={tab}>
                <h2>{t(`tab.${tab}`)}</h2>
                <ul aria-label={t(`tab.${tab}`)}>{own.map(linkTo)}</ul>
              </div>
            )
          );
        })}
        {found.length === 0 && <p className="subtle">{t('find-none')}</p>}
      </div>
    </nav>
  );
};
