import { TagInput } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast.ts';
import { isDomain } from './option-rules.ts';

type Props = Readonly<{ id: string; value: string; onChange: (value: string) => void }>;

/** Mail domains, each once; a comma text on the wire. */
export const DomainInput = ({ id, value, onChange }: Props) => {
  const { t } = useTranslation('setting');
  const domains = value.split(',').filter((name) => name !== '');
  const add = (names: readonly string[]): boolean => {
    const next = [...domains];
    for (const name of names.map((text) => text.trim().toLowerCase())) {
      if (!isDomain(name)) {
        toast('error', t('domain-wrong', { name }));
        return false;
      }
      if (next.includes(name)) {
        toast('error', t('domain-known', { name }));
        return false;
      }
      next.push(name);
    }
    onChange(next.join(','));
    return true;
  };
  return (
    <TagInput
      fill
      values={domains}
      onAdd={add}
      onRemove={(_, at) => onChange(domains.filter((_name, index) => index !== at).join(','))}
      separator={/[,\s]+/}
      addOnBlur
      placeholder={t('domain-placeholder')}
      tagProps={{ minimal: true }}
      // Enter adds a domain; it must not send the form as well.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      inputProps={{ id }}
    />
  );
};
