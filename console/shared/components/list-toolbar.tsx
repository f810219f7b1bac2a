import { Button, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddFilter, FilterChip, type FilterField } from './filter-chip.tsx';

type Values<Name extends string> = Readonly<Record<Name, string>>;
type Props<Name extends string> = Readonly<{
  /** What can narrow the list, each behind a chip. */
  fields: readonly FilterField<Name>[];
  filters: Values<Name>;
  /** Values that do not narrow the list. */
  none: Values<Name>;
  /** Filters apply at once. */
  onApply: (changes: Partial<Values<Name>>) => void;
  /** A word to search for, always in sight. */
  search?: Readonly<{ name: Name; label: string; hint?: string }>;
  /** Time range, shown after the filters. */
  range?: ReactNode;
  /** Choices that are always in sight. */
  children?: ReactNode;
  /** Columns, export, live: at the end. */
  end?: ReactNode;
}>;

type SearchProps = Readonly<{
  label: string;
  hint: string;
  value: string;
  onSearch: (text: string) => void;
}>;

const SearchField = ({ label, hint, value, onSearch }: SearchProps) => {
  const { t } = useTranslation('common');
  const [draft, setDraft] = useState(value);
  return (
    <form
      className="list-search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(draft.trim());
      }}
    >
      <InputGroup
        type="search"
        aria-label={label}
        title={label}
        placeholder={hint}
        value={draft}
        onValueChange={(text) => {
          setDraft(text);
          if (text === '' && value !== '') onSearch('');
        }}
        rightElement={
          <Button
            type="submit"
            variant="minimal"
            icon={<Search />}
            aria-label={t('search')}
            title={t('search')}
          />
        }
      />
    </form>
  );
};

/** One bar above a list: search, filters as chips, time range, then what concerns the view. */
export const ListToolbar = <Name extends string>(props: Props<Name>) => {
  const { t } = useTranslation('common');
  const { fields, filters, none, search, onApply } = props;
  const active = fields.filter(({ name }) => filters[name] !== none[name]);
  const unused = fields.filter(({ name }) => filters[name] === none[name]);
  const apply = (name: Name, value: string) => onApply({ [name]: value } as Partial<Values<Name>>);
  const clear = () =>
    onApply(
      Object.fromEntries(active.map(({ name }) => [name, none[name]])) as Partial<Values<Name>>,
    );
  return (
    <div className="list-toolbar" role="toolbar" aria-label={t('filters')}>
      {search && (
        <SearchField
          key={filters[search.name]}
          label={search.label}
          hint={search.hint ?? search.label}
          value={filters[search.name]}
          onSearch={(text) => apply(search.name, text)}
        />
      )}
      {props.children}
      {active.map((field) => (
        <FilterChip
          key={field.name}
          field={field}
          value={filters[field.name]}
          onApply={(value) => apply(field.name, value)}
          onRemove={() => apply(field.name, none[field.name])}
        />
      ))}
      {unused.length > 0 && <AddFilter fields={unused} onApply={apply} />}
      {active.length > 1 && <Button variant="minimal" text={t('reset')} onClick={clear} />}
      <div className="toolbar-end">
        {props.range}
        {props.end}
      </div>
    </div>
  );
};
