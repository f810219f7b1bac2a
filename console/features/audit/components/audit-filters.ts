import type { TFunction } from 'i18next';
import type { FilterField } from '../../../shared/components/filter-chip.tsx';
import type { AuditFilters } from '../api/audit.ts';
import { eventTypes, subjectKinds, subjectText, typeText } from './texts.ts';

type Fields = readonly FilterField<'actor' | 'subject_kind' | 'subject_id' | 'type'>[];

export const noAuditFilters: AuditFilters = {
  actor: '',
  subject_kind: '',
  subject_id: '',
  type: '',
  start_timestamp: '',
  end_timestamp: '',
};

/** All but administrators see their own entries; they need not name themselves. */
export const auditFields = (t: TFunction<'audit'>, isAdmin: boolean): Fields => {
  const choices = (values: readonly string[], text: (value: string) => string) =>
    values.map((value) => ({ value, label: text(value) }));
  const whose: Fields = [
    {
      name: 'actor',
      label: t('filter.actor'),
      kind: 'text',
      placeholder: t('filter-hint.actor'),
    },
    {
      name: 'subject_kind',
      label: t('filter.subject_kind'),
      kind: 'choice',
      choices: choices(subjectKinds, (kind) => subjectText(kind, t)),
    },
    {
      name: 'subject_id',
      label: t('filter.subject_id'),
      kind: 'text',
      placeholder: t('filter-hint.subject_id'),
    },
  ];
  return [
    ...(isAdmin ? whose : []),
    {
      name: 'type',
      label: t('filter.type'),
      kind: 'choice',
      choices: choices(eventTypes, (type) => typeText(type, t)),
    },
  ];
};
