import { Button } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { InstantField } from '../../../shared/components/instant-field.tsx';
import { expiryAfter, type Lifetime, lifetimes, never } from './token-form.ts';

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
          <InstantField
            id={id}
            label={t('expires')}
            value={value === never ? null : value}
            side="future"
            onChange={(next) => onChange(next ?? never)}
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
