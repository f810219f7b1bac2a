import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { fromLocalInput, toLocalInput } from '../../../shared/format/time.ts';
import type { AuditFilters } from '../api/audit.ts';
import { eventTypes, subjectKinds, subjectText, typeText } from './words.ts';

type Props = Readonly<{
  filters: AuditFilters;
  isAdmin: boolean;
  onApply: (filters: AuditFilters) => void;
}>;
export const noAuditFilters: AuditFilters = {
  actor: '',
  subject_kind: '',
  subject_id: '',
  type: '',
  start_timestamp: '',
  end_timestamp: '',
};

export const AuditFilterBar = ({ filters, isAdmin, onApply }: Props) => {
  const { t } = useTranslation(['audit', 'common']);
  const [draft, setDraft] = useState(filters);
  const active = Object.values(filters).filter((value) => value !== '').length;
  const textField = (name: 'actor' | 'subject_id') => (
    <Field label={t(`filter.${name}`)}>
      {(id) => (
        <InputGroup
          id={id}
          value={draft[name]}
          placeholder={t(`filter-hint.${name}`)}
          onValueChange={(text) => setDraft({ ...draft, [name]: text.trim() })}
        />
      )}
    </Field>
  );
  const choice = (
    name: 'subject_kind' | 'type',
    values: readonly string[],
    text: (value: string) => string,
  ) => (
    <Field label={t(`filter.${name}`)}>
      {(id) => (
        <HTMLSelect
          id={id}
          fill
          value={draft[name]}
          onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
        >
          <option value="">{t('all')}</option>
          {values.map((value) => (
            <option key={value} value={value}>
              {text(value)}
            </option>
          ))}
        </HTMLSelect>
      )}
    </Field>
  );
  const timeField = (name: 'start_timestamp' | 'end_timestamp') => (
    <Field label={t(`filter.${name}`)}>
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
  );
  return (
    <Filters className="filter-bar" active={active} onSubmit={() => onApply(draft)}>
      {isAdmin && textField('actor')}
      {isAdmin && choice('subject_kind', subjectKinds, (kind) => subjectText(kind, t))}
      {isAdmin && textField('subject_id')}
      {choice('type', eventTypes, (type) => typeText(type, t))}
      {timeField('start_timestamp')}
      {timeField('end_timestamp')}
      <Button type="submit" intent="primary" icon={<Search />} text={t('common:search')} />
      {active > 0 && (
        <Button
          variant="minimal"
          text={t('common:reset')}
          onClick={() => onApply(noAuditFilters)}
        />
      )}
    </Filters>
  );
};
