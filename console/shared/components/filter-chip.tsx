import { Button, InputGroup, MenuItem, PopoverNext, PopupKind } from '@blueprintjs/core';
import { Cross, Plus } from '@blueprintjs/icons';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from './action-menu.tsx';
import { Field } from './field.tsx';

type Choice = Readonly<{ value: string; label: string }>;
export type FilterField<Name extends string> = Readonly<{ name: Name; label: string }> &
  Readonly<
    | { kind: 'text'; placeholder?: string }
    | { kind: 'number' }
    | { kind: 'choice'; choices: readonly Choice[] }
  >;

type EditorProps = Readonly<{
  field: FilterField<string>;
  value: string;
  onApply: (value: string) => void;
}>;

/** A menu of choices, or a field whose text counts with Enter. */
const FilterEditor = ({ field, value, onApply }: EditorProps) => {
  const { t } = useTranslation('common');
  const [draft, setDraft] = useState(value);
  if (field.kind === 'choice') {
    return (
      <ActionMenu role="listbox" aria-label={field.label} className="filter-choices">
        {field.choices.map((choice) => (
          <MenuItem
            key={choice.value}
            roleStructure="listoption"
            text={choice.label}
            selected={choice.value === value}
            shouldDismissPopover={false}
            onClick={() => onApply(choice.value)}
          />
        ))}
      </ActionMenu>
    );
  }
  return (
    <form
      className="filter-editor"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(draft.trim());
      }}
    >
      <Field label={field.label}>
        {(id) => (
          <InputGroup
            id={id}
            autoFocus
            value={draft}
            inputMode={field.kind === 'number' ? 'numeric' : 'text'}
            {...(field.kind === 'text' && field.placeholder && { placeholder: field.placeholder })}
            onValueChange={setDraft}
          />
        )}
      </Field>
      <Button type="submit" intent="primary" text={t('apply')} />
    </form>
  );
};

type PopupProps = Readonly<{
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  content: ReactElement;
  children: ReactElement;
}>;

const Popup = ({ isOpen, onOpen, content, children }: PopupProps) => (
  <PopoverNext
    isOpen={isOpen}
    onInteraction={onOpen}
    placement="bottom-start"
    arrow={false}
    animation="minimal"
    popupKind={PopupKind.DIALOG}
    content={content}
  >
    {children}
  </PopoverNext>
);

const textOf = (field: FilterField<string>, value: string): string =>
  (field.kind === 'choice' && field.choices.find((choice) => choice.value === value)?.label) ||
  value;

type ChipProps = EditorProps & Readonly<{ onRemove: () => void }>;

/** A filter that narrows the list now: its text changes it, its cross removes it. */
export const FilterChip = ({ field, value, onApply, onRemove }: ChipProps) => {
  const { t } = useTranslation('common');
  const [isOpen, setOpen] = useState(false);
  const apply = (next: string) => {
    setOpen(false);
    onApply(next);
  };
  return (
    <span className="filter-chip">
      <Popup
        isOpen={isOpen}
        onOpen={setOpen}
        content={<FilterEditor key={value} field={field} value={value} onApply={apply} />}
      >
        <button type="button" className="filter-chip-text">
          {field.label}: <strong>{textOf(field, value)}</strong>
        </button>
      </Popup>
      <button
        type="button"
        className="filter-chip-remove"
        aria-label={t('remove-filter', { name: field.label })}
        onClick={onRemove}
      >
        <Cross size={14} />
      </button>
    </span>
  );
};

type AddProps<Name extends string> = Readonly<{
  fields: readonly FilterField<Name>[];
  onApply: (name: Name, value: string) => void;
}>;

/** First what to filter by, then its value. */
export const AddFilter = <Name extends string>({ fields, onApply }: AddProps<Name>) => {
  const { t } = useTranslation('common');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Name | null>(null);
  const field = fields.find(({ name }) => name === chosen);
  const open = (next: boolean) => {
    setOpen(next);
    if (next) setChosen(null);
  };
  const content =
    field === undefined ? (
      <ActionMenu aria-label={t('add-filter')}>
        {fields.map(({ name, label }) => (
          <MenuItem
            key={name}
            text={label}
            shouldDismissPopover={false}
            onClick={() => setChosen(name)}
          />
        ))}
      </ActionMenu>
    ) : (
      <FilterEditor
        field={field}
        value=""
        onApply={(value) => {
          setOpen(false);
          onApply(field.name, value);
        }}
      />
    );
  return (
    <Popup isOpen={isOpen} onOpen={open} content={content}>
      <Button variant="minimal" icon={<Plus />} text={t('add-filter')} />
    </Popup>
  );
};
