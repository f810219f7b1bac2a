import { Button, InputGroup } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { toLocalInput } from '../../../shared/format/time.ts';
import { expiryAfter, expiryFrom, type Lifetime, lifetimes, never } from './token-form.ts';

type Props = Readonly<{ value: number; onChange: (unixSeconds: number) => void }>;

export const ExpiryField = ({ value, onChange }: Props) => {
  const { t } = useTranslation('token');
  return (
    <Field
      label={t('expires')}
      name="expiry-wrong"
      {...(value === never && { hint: t('never-hint') })}
    >
      {(id) => (
        <>
          <InputGroup
            id={id}
            type="datetime-local"
            value={value === never ? '' : toLocalInput(value)}
            onValueChange={(text) => onChange(expiryFrom(text))}
          />
          <div className="field-buttons">
            <Button
              size="small"
              text={t('never')}
              active={value === never}
              onClick={() => onChange(never)}
            />
            {(Object.keys(lifetimes) as Lifetime[]).map((lifetime) => (
              <Button
                key={lifetime}
                size="small"
                text={t(`lifetime.${lifetime}`)}
                onClick={() => onChange(expiryAfter(lifetime))}
              />
            ))}
          </div>
        </>
      )}
    </Field>
  );
};
