import { Button, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { fromLocalInput, startOfToday, toLocalInput } from '../../../shared/format/time.ts';
import type { TaskFilters } from '../api/tasks.ts';

type Props = Readonly<{
  filters: TaskFilters;
  isAdmin: boolean;
  onApply: (filters: TaskFilters) => void;
}>;

/** From the beginning of today on, without an end. */
export const defaultTaskFilters = (): TaskFilters => ({
  channel_id: '',
  task_id: '',
  start_timestamp: String(startOfToday()),
  end_timestamp: '',
});

const texts = ['channel_id', 'task_id'] as const;
const times = ['start_timestamp', 'end_timestamp'] as const;

export const TaskFilterBar = ({ filters, isAdmin, onApply }: Props) => {
  const { t } = useTranslation(['task', 'common']);
  const [draft, setDraft] = useState(filters);
  const shown = texts.filter((name) => isAdmin || name !== 'channel_id');
  return (
    <Filters
      className="filter-bar"
      active={shown.filter((name) => filters[name] !== '').length}
      onSubmit={() => onApply(draft)}
    >
      {shown.map((name) => (
        <Field key={name} label={t(`filter.${name}`)}>
          {(id) => (
            <InputGroup
              id={id}
              value={draft[name]}
              inputMode={name === 'channel_id' ? 'numeric' : 'text'}
              onValueChange={(text) => setDraft({ ...draft, [name]: text.trim() })}
            />
          )}
        </Field>
      ))}
      {times.map((name) => (
        <Field key={name} label={t(`filter.${name}`)}>
          {(id) => (
            <InputGroup
              id={id}
              type="datetime-local"
              value={draft[name] === '' ? '' : toLocalInput(Number(draft[name]))}
              onValueChange={(text) =>
                setDraft({ ...draft, [name]: String(fromLocalInput(text) ?? '') })
              }
            />
          )}
        </Field>
      ))}
      <Button type="submit" intent="primary" icon={<Search />} text={t('common:search')} />
    </Filters>
  );
};
