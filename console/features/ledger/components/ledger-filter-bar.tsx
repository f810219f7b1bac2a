import { Button, HTMLSelect } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { TimeField } from '../../../shared/components/time-field.tsx';
import type { LedgerFilters } from '../api/ledger.ts';
import { kindsInOrder } from './ledger-kinds.ts';

type Props = Readonly<{
  filters: LedgerFilters;
  onChange: (changes: Partial<LedgerFilters>) => void;
}>;

export const LedgerFilterBar = ({ filters, onChange }: Props) => {
  const { t } = useTranslation(['ledger', 'common']);
  const { as_of: _, ...shown } = filters;
  const active = Object.values(shown).filter((value) => value !== '').length;
  const timeField = (name: 'start_timestamp' | 'end_timestamp') => (
    <TimeField
      label={t(`filter.${name}`)}
      value={filters[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <Filters active={active}>
      <Field label={t('column.kind')}>
        {(id) => (
          <HTMLSelect
            id={id}
            value={filters.kind}
            onChange={(event) => onChange({ kind: event.currentTarget.value })}
          >
            <option value="">{t('all-kinds')}</option>
            {kindsInOrder.map((kind) => (
              <option key={kind} value={kind}>
                {t(`kind.${kind}`)}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Field>
      {timeField('start_timestamp')}
      {timeField('end_timestamp')}
      {active > 0 && (
        <Button
          variant="minimal"
          text={t('common:reset')}
          onClick={() => onChange({ kind: '', start_timestamp: '', end_timestamp: '' })}
        />
      )}
    </Filters>
  );
};
