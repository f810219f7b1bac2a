import { Classes, InputGroup, Overlay2 } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useIsAdmin } from '../../shared/session.ts';
import { useIsShown } from './navigation.ts';
import { type Destination, matching, pagesFor, settingsFor, useNamed } from './palette-sources.ts';

/** Pause after the last key before the server is queried. */
const typingPauseMs = 200;

/** A short word is in the name of many options. */
const maxSettings = 8;

const stepOf: Readonly<Partial<Record<string, number>>> = { ArrowDown: 1, ArrowUp: -1 };

const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

type ListProps = Readonly<{
  items: readonly Destination[];
  active: number;
  onChoose: (item: Destination) => void;
}>;

const List = ({ items, active, onChoose }: ListProps) => {
  const { t } = useTranslation('shell');
  return (
    <div id="palette-list" className="palette-list" role="listbox" aria-label={t('palette')}>
      {items.map((item, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
        <div
          key={item.key}
          id={`palette-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className="palette-item"
          ref={(element) => {
            if (at === active) element?.scrollIntoView?.({ block: 'nearest' });
          }}
          onClick={() => onChoose(item)}
        >
          {item.icon}
          <span>{item.text}</span>
          {item.kind !== 'call' && <small>{t(`palette-kind.${item.kind}`)}</small>}
        </div>
      ))}
    </div>
  );
};

type Props = Readonly<{ onClose: () => void }>;

/**
 * Pages, actions, users, channels and keys by typing, calls by request id. A separate file: loaded
 * late.
 */
export const CommandPalette = ({ onClose }: Props) => {
  const { t } = useTranslation('shell');
  const { t: tSetting } = useTranslation('setting');
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const isShown = useIsShown();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const word = useDeferredValue(text.trim());
  const named = useNamed(useSettled(word)).data ?? [];
  const settings = isAdmin ? settingsFor(tSetting) : [];
  const items = [
    ...matching(pagesFor(t, isShown, isAdmin), word),
    ...(word === '' ? [] : [...matching(settings, word).slice(0, maxSettings), ...named]),
  ];

  const choose = (item: Destination | undefined) => {
    if (item === undefined) return;
    onClose();
    // Keyboard focus continues from the page, not from the top of the frame.
    const arrive = () => document.getElementById('content')?.focus({ preventScroll: true });
    void Promise.resolve(navigate(item.to)).then(arrive);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const step = stepOf[key];
    if (step !== undefined) setActive((active + step + items.length) % Math.max(1, items.length));
    else if (key === 'Enter') choose(items[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Overlay2 isOpen onClose={onClose} className={Classes.OVERLAY_SCROLL_CONTAINER}>
      <div className="palette" role="dialog" aria-modal aria-label={t('palette')}>
        <InputGroup
          autoFocus
          inputRef={field}
          size="large"
          leftIcon={<Search />}
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-label={t('palette-hint')}
          {...(items.length > 0 && { 'aria-activedescendant': `palette-${active}` })}
          placeholder={t('palette-hint')}
          value={text}
          onValueChange={(next) => {
            setText(next);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <List items={items} active={active} onChoose={choose} />
        {items.length === 0 && <p className="palette-empty">{t('palette-none')}</p>}
      </div>
    </Overlay2>
  );
};
