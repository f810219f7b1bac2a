import { Button, Callout, InputGroup } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { asCurrency } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { TokenForm } from '../api/tokens.ts';
import { quotaPresets } from './token-form.ts';

type Props = Readonly<{ form: TokenForm; onChange: (changes: Partial<TokenForm>) => void }>;

export const QuotaField = ({ form, onChange }: Props) => {
  const { t } = useTranslation('token');
  const display = useQuotaDisplay();
  const { remain_quota, unlimited_quota } = form;
  const hint =
    display.inCurrency && Number.isFinite(remain_quota)
      ? t('quota-worth', { amount: asCurrency(remain_quota, display) })
      : undefined;
  return (
    <>
      <Callout intent="warning" compact>
        {t('quota-note')}
      </Callout>
      <Field
        label={t('quota')}
        name="quota-wrong"
        hint={unlimited_quota ? undefined : hint}
        aside={
          <Button
            size="small"
            variant="minimal"
            intent={unlimited_quota ? 'warning' : 'primary'}
            text={unlimited_quota ? t('set-limited') : t('set-unlimited')}
            onClick={() => onChange({ unlimited_quota: !unlimited_quota })}
          />
        }
      >
        {(id) => (
          <>
            <InputGroup
              id={id}
              type="number"
              step={1}
              disabled={unlimited_quota}
              value={Number.isFinite(remain_quota) ? String(remain_quota) : ''}
              onValueChange={(text) =>
                onChange({ remain_quota: text === '' ? Number.NaN : Number(text) })
              }
            />
            <div className="field-buttons">
              {quotaPresets.map(({ usd, units }) => (
                <Button
                  key={usd}
                  size="small"
                  text={`$${usd}`}
                  disabled={unlimited_quota}
                  onClick={() => onChange({ remain_quota: units })}
                />
              ))}
            </div>
          </>
        )}
      </Field>
    </>
  );
};
