import { Button, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { fromLocalInput, nowSeconds, toLocalInput } from '../../../shared/format/time.ts';
import type { DrawingFilters } from '../api/drawings.ts';

type Props = Readonly<{
  filters: DrawingFilters;
  isAdmin: boolean;
  onApply: (filters: DrawingFilters) => void;
}>;

const thirtyDays = 30 * 86_400;
const oneHour = 3_600;

/** The last thirty days, and an hour more for clocks that go differently. */
export const defaultDrawingFilters = (): DrawingFilters => ({
  channel_id: '',
  mj_id: '',
  start_timestamp: String(nowSeconds() - thirtyDays),
  end_timestamp: String(nowSeconds() + oneHour),
});

const texts = ['channel_id', 'mj_id'] as const;
const times = ['start_timestamp', 'end_timestamp'] as const;

export const DrawingFilterBar = ({ filters, isAdmin, onApply }: Props) => {
  const { t } = useTranslation(['drawing', 'common']);
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
