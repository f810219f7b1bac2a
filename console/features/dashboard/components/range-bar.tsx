import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { fromLocalInput, toLocalInput } from '../../../shared/format/time.ts';
import { granularities } from './series.ts';

type Range = Readonly<{
  /** Unix seconds. */
  start: number;
  end: number;
  granularity: string;
  username: string;
}>;
type Props = Readonly<{
  range: Range;
  isAdmin: boolean;
  onApply: (range: Range) => void;
  onGranularity: (granularity: string) => void;
}>;

export const RangeBar = ({ range, isAdmin, onApply, onGranularity }: Props) => {
  const { t } = useTranslation(['dashboard', 'common']);
  const [draft, setDraft] = useState(range);
  const timeField = (name: 'start' | 'end') => (
    <Field label={t(`filter.${name}`)}>
      {(id) => (
        <InputGroup
          id={id}
          type="datetime-local"
          value={toLocalInput(draft[name])}
          onValueChange={(text) =>
            setDraft({ ...draft, [name]: fromLocalInput(text) ?? draft[name] })
          }
        />
      )}
    </Field>
  );
  return (
    <Filters
      className="filter-bar"
      active={range.username === '' ? 0 : 1}
      onSubmit={() => onApply(draft)}
    >
      {timeField('start')}
      {timeField('end')}
      <Field label={t('filter.granularity')}>
        {(id) => (
          <HTMLSelect
            id={id}
            value={draft.granularity}
            onChange={(event) => onGranularity(event.currentTarget.value)}
            options={granularities.map((value) => ({ value, label: t(`granularity.${value}`) }))}
          />
        )}
      </Field>
      {isAdmin && (
        <Field label={t('filter.username')}>
          {(id) => (
            <InputGroup
              id={id}
              value={draft.username}
              onValueChange={(username) => setDraft({ ...draft, username })}
            />
          )}
        </Field>
      )}
      <Button type="submit" intent="primary" icon={<Search />} text={t('common:search')} />
    </Filters>
  );
};
