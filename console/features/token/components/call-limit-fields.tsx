import { InputGroup } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import type { TokenForm } from '../api/tokens.ts';
import { callLimits } from './token-form.ts';

type Props = Readonly<{ form: TokenForm; onChange: (changes: Partial<TokenForm>) => void }>;

/** How much may be called in a minute, and at a time; an empty field is no limit. */
export const CallLimitFields = ({ form, onChange }: Props) => {
  const { t } = useTranslation('token');
  return (
    <>
      <h2 className="form-section">{t('call-limits')}</h2>
      {callLimits.map((name) => (
        <Field key={name} name={name} label={t(`limit.${name}`)} hint={t('limit-hint')}>
          {(id) => (
            <InputGroup
              id={id}
              type="number"
              min={0}
              step={1}
              placeholder={t('limit-none')}
              value={form[name] === 0 || Number.isNaN(form[name]) ? '' : String(form[name])}
              onValueChange={(text) => onChange({ [name]: text === '' ? 0 : Number(text) })}
            />
          )}
        </Field>
      ))}
    </>
  );
};
