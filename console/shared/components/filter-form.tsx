import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './field.tsx';
import { Filters } from './filters.tsx';
import { TimeField } from './time-field.tsx';

type Choice = Readonly<{ value: string; label: string }>;
export type FilterField<Name extends string> = Readonly<{ name: Name; label: string }> &
  Readonly<
    | { kind: 'text'; placeholder?: string }
    | { kind: 'number' }
    | { kind: 'time' }
    | { kind: 'choice'; choices: readonly Choice[] }
  >;

type Props<Name extends string> = Readonly<{
  fields: readonly FilterField<Name>[];
  filters: Readonly<Record<Name, string>>;
  /** Where given, a button leads back to it while anything differs. */
  none?: Readonly<Record<Name, string>>;
  onApply: (filters: Readonly<Record<Name, string>>) => void;
}>;

const trimmed = <F extends Readonly<Record<string, string>>>(filters: F): F =>
  Object.fromEntries(Object.entries(filters).map(([name, text]) => [name, text.trim()])) as F;

const DraftForm = <Name extends string>({ fields, filters, ...rest }: Props<Name>) => {
  const { t } = useTranslation('common');
  const { none, onApply } = rest;
  const [draft, setDraft] = useState(filters);
  const narrowing = fields.filter(({ name, kind }) =>
    none ? filters[name] !== none[name] : kind !== 'time' && filters[name] !== '',
  ).length;
  const control = (field: FilterField<Name>) => {
    const { name, label, kind } = field;
    const value = draft[name];
    const change = (text: string) => setDraft({ ...draft, [name]: text });
    if (kind === 'time') {
      return <TimeField key={name} label={label} value={value} onChange={change} />;
    }
    return (
      <Field key={name} label={label}>
        {(id) =>
          kind === 'choice' ? (
            <HTMLSelect
              id={id}
              fill
              value={value}
              onChange={(event) => change(event.currentTarget.value)}
              options={field.choices}
            />
          ) : (
            <InputGroup
              id={id}
              value={value}
              inputMode={kind === 'number' ? 'numeric' : 'text'}
              {...(kind === 'text' && field.placeholder && { placeholder: field.placeholder })}
              onValueChange={change}
            />
          )
        }
      </Field>
    );
  };
  return (
    <Filters className="filter-bar" active={narrowing} onSubmit={() => onApply(trimmed(draft))}>
      {fields.map(control)}
      <Button type="submit" intent="primary" icon={<Search />} text={t('search')} />
      {none && narrowing > 0 && (
        <Button variant="minimal" text={t('reset')} onClick={() => onApply(none)} />
      )}
    </Filters>
  );
};

/** Fields above a list that count when the user says so; the list does not jump meanwhile. */
export const FilterForm = <Name extends string>(props: Props<Name>) => (
  <DraftForm key={JSON.stringify(props.filters)} {...props} />
);
