import { History } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../shared/paths.ts';
import type { OptionKey } from './option-fields.ts';

/** Leads to what the audit trail has of one option. */
export const OptionHistory = ({ option }: Readonly<{ option: OptionKey }>) => {
  const { t } = useTranslation('setting');
  const name = t('history', { label: t(`label.${option}`) });
  const query = new URLSearchParams({ subject_kind: 'option', subject_id: option });
  return (
    <Link to={`${paths.audit}?${query}`} className="option-history" title={name}>
      <History size={14} />
      <span className="visually-hidden">{name}</span>
    </Link>
  );
};
