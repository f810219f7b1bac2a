import { TagInput } from '@blueprintjs/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { optionId, PickerList } from './picker-list.tsx';

type Props = Readonly<{
  id: string;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  options: readonly string[];
  placeholder: string;
  /** Whether a name that is not among the options may be added. */
  canAdd?: boolean;
  isDisabled?: boolean;
}>;

const shownAtOnce = 60;

/** Names already chosen stay once; a comma or a line break separates names typed or pasted. */
export const mergeNames = (values: readonly string[], added: readonly string[]): string[] => [
  ...new Set([...values, ...added].map((name) => name.trim()).filter((name) => name !== '')),
];

/** 0 the name itself, 1 begins so, 2 holds it somewhere. */
const rankOf = (name: string, wanted: string): number => {
  if (name === wanted) return 0;
  return name.startsWith(wanted) ? 1 : 2;
};

/** Best first; names of one rank keep their order. `wanted` is in small letters. */
export const rankMatches = (options: readonly string[], wanted: string): readonly string[] =>
  options
    .filter((name) => name.toLowerCase().includes(wanted))
    .map((name) => ({ name, rank: rankOf(name.toLowerCase(), wanted) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);

/** Several names out of many, with search by typing. Our own for the size of the first load: see console/README. */
export const MultiPicker = (props: Props) => {
  const { t } = useTranslation('common');
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { values, options, onChange } = props;
  const wanted = text.trim().toLowerCase();
  const free = options.filter((name) => !values.includes(name));
  const matches = rankMatches(free, wanted).slice(0, shownAtOnce);

  const listId = `${props.id}-list`;
  const isListed = isOpen && !props.isDisabled && (matches.length > 0 || wanted !== '');

  const add = (names: readonly string[]) => {
    const known = props.canAdd ? names : names.filter((name) => options.includes(name.trim()));
    onChange(mergeNames(values, known));
    setText('');
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, matches.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Escape' && isOpen) {
      setOpen(false);
      event.stopPropagation();
    } else if (event.key === 'Enter' && isOpen && matches[active]) {
      add([matches[active]]);
      event.preventDefault();
      event.stopPropagation();
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the focus of the field inside
    <div
      className="picker"
      onFocus={() => setOpen(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
      onKeyDownCapture={onKeyDown}
    >
      <TagInput
        fill
        values={values}
        disabled={props.isDisabled ?? false}
        inputValue={text}
        onInputChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onAdd={(names) => {
          add(names);
          return false;
        }}
        onRemove={(_, index) => onChange(values.filter((_name, at) => at !== index))}
        separator={/[,\n]/}
        placeholder={props.placeholder}
        tagProps={{ minimal: true }}
        inputProps={{
          id: props.id,
          role: 'combobox',
          'aria-expanded': isListed,
          'aria-controls': listId,
          ...(isListed && { 'aria-activedescendant': optionId(listId, active) }),
          autoComplete: 'off',
        }}
      />
      {isListed && (
        <PickerList
          id={listId}
          label={props.placeholder}
          active={active}
          options={
            matches.length > 0
              ? matches.map((name) => ({ value: name, label: name }))
              : [
                  {
                    value: text,
                    label: props.canAdd ? t('press-enter', { text }) : t('no-match'),
                    isDisabled: !props.canAdd,
                  },
                ]
          }
          onChoose={({ value }) => add([value])}
        />
      )}
    </div>
  );
};
