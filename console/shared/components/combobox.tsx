import { InputGroup } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { optionId, PickerList } from './picker-list.tsx';

export type Choice = Readonly<{ value: string; label: string }>;
type Props = Readonly<{
  id: string;
  value: string;
  onChange: (value: string) => void;
  choices: readonly Choice[];
  placeholder?: string;
}>;

/** One of many, found by typing. Our own for the size of the first load: see console/README. */
export const Combobox = ({ id, value, onChange, choices, placeholder = '' }: Props) => {
  const { t } = useTranslation('common');
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const isOpen = text !== null;
  const wanted = (text ?? '').trim().toLowerCase();
  const matches = choices.filter(({ label }) => label.toLowerCase().includes(wanted));
  const listId = `${id}-list`;
  const chosen = choices.find((choice) => choice.value === value);

  const close = () => setText(null);
  const open = () => {
    setText('');
    setActive(
      Math.max(
        0,
        choices.findIndex((choice) => choice.value === value),
      ),
    );
  };
  const choose = (choice: Choice) => {
    onChange(choice.value);
    close();
  };
  const match = matches[active];
  const actionOf = (key: string): (() => void) | undefined => {
    if (key === 'ArrowDown') return () => setActive(Math.min(active + 1, matches.length - 1));
    if (key === 'ArrowUp') return () => setActive(Math.max(active - 1, 0));
    if (key === 'Enter' && match) return () => choose(match);
    return key === 'Escape' ? close : undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) {
      if (event.key === 'ArrowDown') open();
      return;
    }
    const action = actionOf(event.key);
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the focus of the field inside
    <div
      className="picker"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <InputGroup
        id={id}
        fill
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        {...(isOpen && { 'aria-activedescendant': optionId(listId, active) })}
        autoComplete="off"
        value={text ?? chosen?.label ?? value}
        placeholder={isOpen ? (chosen?.label ?? placeholder) : placeholder}
        rightElement={<CaretDown className="picker-caret" />}
        onClick={() => !isOpen && open()}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
      />
      {isOpen && (
        <PickerList
          id={listId}
          label={placeholder || t('choices')}
          active={active}
          options={
            matches.length > 0
              ? matches.map((choice) => ({ ...choice, isChosen: choice.value === value }))
              : [{ value: '', label: t('no-match'), isDisabled: true }]
          }
          onChoose={choose}
        />
      )}
    </div>
  );
};
