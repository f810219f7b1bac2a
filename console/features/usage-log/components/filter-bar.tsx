import { Button, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { fromLocalInput, toLocalInput } from '../../../shared/format/time.ts';
import type { LogFilters } from '../api/logs.ts';

type Props = Readonly<{
  filters: LogFilters;
  isAdmin: boolean;
  onApply: (filters: LogFilters) => void;
}>;
type TextFilter = 'token_name' | 'model_name' | 'group' | 'channel' | 'username';
type TimeFilter = 'start_timestamp' | 'end_timestamp';

const asInput = (unixSeconds: string) =>
  unixSeconds === '' ? '' : toLocalInput(Number(unixSeconds));
const asFilter = (text: string) => String(fromLocalInput(text) ?? '');

/** What is typed counts when the person says so; the list does not jump while they type. */
export const FilterBar = ({ filters, isAdmin, onApply }: Props) => {
  const { t } = useTranslation(['usage-log', 'common']);
  const [draft, setDraft] = useState(filters);
  const texts: readonly TextFilter[] = isAdmin
    ? ['token_name', 'model_name', 'group', 'channel', 'username']
    : ['token_name', 'model_name', 'group'];

  const timeField = (name: TimeFilter) => (
    <Field label={t(`filter.${name}`)}>
      {(id) => (
        <InputGroup
          id={id}
          type="datetime-local"
          value={asInput(draft[name])}
          onValueChange={(text) => setDraft({ ...draft, [name]: asFilter(text) })}
        />
      )}
    </Field>
  );

  return (
    <Filters
      className="filter-bar"
      active={texts.filter((name) => filters[name] !== '').length}
      onSubmit={() => onApply(draft)}
    >
      {timeField('start_timestamp')}
      {timeField('end_timestamp')}
      {texts.map((name) => (
        <Field key={name} label={t(`filter.${name}`)}>
          {(id) => (
            <InputGroup
              id={id}
              value={draft[name]}
              inputMode={name === 'channel' ? 'numeric' : 'text'}
              onValueChange={(text) => setDraft({ ...draft, [name]: text })}
            />
          )}
        </Field>
      ))}
      <Button type="submit" intent="primary" icon={<Search />} text={t('common:search')} />
    </Filters>
  );
};
