import { Tooltip } from '@blueprintjs/core';
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { NavChats } from './nav-chats.tsx';
import { entryOf, type NavItem, navigation, useIsShown } from './navigation.ts';

type Props = Readonly<{
  isCollapsed: boolean;
  onToggle?: () => void;
  /** On a phone: closes the menu after a choice. */
  onChoose?: () => void;
}>;

export const Sidebar = ({ isCollapsed, onToggle, onChoose }: Props) => {
  const { t } = useTranslation('shell');
  const isShown = useIsShown();
  const { pathname } = useLocation();
  const groups = navigation
    .map(({ group, items }) => ({ group, items: items.filter(isShown) }))
    .filter(({ items }) => items.length > 0);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry that is active goes with the path
  useEffect(() => {
    list.current?.querySelector('.nav-item.active')?.scrollIntoView?.({ block: 'nearest' });
  }, [pathname]);
  const toggleText = isCollapsed ? t('expand-sidebar') : t('collapse-sidebar');

  const entry = entryOf(pathname);

  const renderItem = (item: NavItem) => {
    const isActive = entry === item.path || entry.startsWith(`${item.path}/`);
    const link = (
      <Link
        to={item.path}
        className={isActive ? 'nav-item active' : 'nav-item'}
        aria-current={isActive ? 'page' : undefined}
        {...(onChoose && { onClick: onChoose })}
        {...(isCollapsed && { 'aria-label': t(`nav.${item.text}`) })}
      >
        {item.icon}
        {!isCollapsed && <span>{t(`nav.${item.text}`)}</span>}
      </Link>
    );
    return (
      <li key={item.path}>
        {isCollapsed ? (
          <Tooltip content={t(`nav.${item.text}`)} placement="right" compact>
            {link}
          </Tooltip>
        ) : (
          link
        )}
      </li>
    );
  };

  return (
    <nav className={`sidebar ${isCollapsed ? 'is-collapsed' : ''}`} aria-label={t('sidebar')}>
      <div className="sidebar-groups" ref={list}>
        {groups.map(({ group, items }) =>
          group === 'operations' && !isCollapsed ? (
            // The active entry is in view, however the person left the group.
            <details
              key={`${group} ${items.some(({ path }) => path === pathname)}`}
              className="nav-group"
              open={items.some(({ path }) => path === pathname)}
            >
              <summary className="nav-item">{t(`group.${group}`)}</summary>
              <ul>{items.map(renderItem)}</ul>
            </details>
          ) : (
            <section key={group}>
              {group !== 'top' && !isCollapsed && <h2>{t(`group.${group}`)}</h2>}
              <ul>
                {items.map(renderItem)}
                {group === 'top' && !isCollapsed && <NavChats onChoose={onChoose} />}
              </ul>
            </section>
          ),
        )}
      </div>
      {onToggle && (
        <button
          type="button"
          className="nav-item sidebar-toggle"
          onClick={onToggle}
          title={toggleText}
        >
          {isCollapsed ? <ChevronRight /> : <ChevronLeft />}
          {!isCollapsed && <span>{toggleText}</span>}
        </button>
      )}
    </nav>
  );
};
