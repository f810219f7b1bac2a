import { Button, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  maxRedemptionCount,
  maxRedemptionNameLength,
} from '../../../../command-api/contract/limits.ts';
import { Field } from '../../../shared/components/field.tsx';
import { SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { asCurrency, formatQuota } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import {
  type RedemptionRow,
  useCreateRedemptions,
  useUpdateRedemption,
} from '../api/redemptions.ts';

/** Null: closed. */
export type DrawerTarget = 'new' | RedemptionRow | null;
/** Codes just made, to be saved as a file. */
export type NewCodes = Readonly<{ name: string; codes: readonly string[] }>;
type Props = Readonly<{
  target: Exclude<DrawerTarget, null>;
  onClose: () => void;
  onCreated: (codes: NewCodes) => void;
}>;

const defaultQuota = 100_000;
/** Dollars. */
const presets = [1, 10, 50, 100, 500, 1000] as const;

const isWithin = (value: number, max: number) =>
  Number.isSafeInteger(value) && value >= 1 && value <= max;

const fieldOf = { 'redemption.name-length': 'name', 'redemption.quota-invalid': 'quota' };

export const RedemptionDrawer = ({ target, onClose, onCreated }: Props) => {
  const { t } = useTranslation(['redemption', 'common']);
  const display = useQuotaDisplay();
  const isNew = target === 'new';
  const [name, setName] = useState(isNew ? '' : target.name);
  const [quota, setQuota] = useState(String(isNew ? defaultQuota : target.quota));
  const [count, setCount] = useState('1');
  const draft = { name, quota, count };
  const { problem, report } = useFormProblem(draft);
  const showRefusal = useRefusals(report, fieldOf);
  const create = useCreateRedemptions();
  const update = useUpdateRedemption();

  const submit = () => {
    const units = Number(quota);
    if (!isWithin(units, Number.MAX_SAFE_INTEGER)) return report('quota', t('quota-wrong'));
    if (isNew && !isWithin(Number(count), maxRedemptionCount))
      return report('count', t('count-wrong'));
    const finalName = name.trim() || formatQuota(units, display);
    if (!isNew) {
      const done = () => {
        toast('success', t('updated-done'));
        onClose();
      };
      const edit = { id: target.id, name: finalName, quota: units };
      return update.mutate(edit, { onError: showRefusal, onSuccess: done });
    }
    const made = (codes: readonly string[]) => {
      toast('success', t('created-done'));
      onCreated({ name: finalName, codes });
    };
    const wanted = { name: finalName, quota: units, count: Number(count) };
    create.mutate(wanted, { onError: showRefusal, onSuccess: made });
  };

  return (
    <SideDrawer
      title={isNew ? t('create-title') : t('update-title')}
      isOpen
      side={isNew ? 'left' : 'right'}
      isSaving={create.isPending || update.isPending}
      submitText={t('common:submit')}
      draft={draft}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('column.name')} name="name" hint={isNew ? t('name-hint') : undefined}>
        {(id) => (
          <InputGroup
            id={id}
            autoFocus
            maxLength={maxRedemptionNameLength}
            value={name}
            onValueChange={setName}
          />
        )}
      </Field>
      <Field
        label={t('column.quota')}
        name="quota"
        isRequired
        hint={t('worth', { amount: asCurrency(Math.trunc(Number(quota)) || 0, display) })}
      >
        {(id) => (
          <>
            <InputGroup id={id} type="number" min={1} value={quota} onValueChange={setQuota} />
            <div className="field-buttons">
              {presets.map((usd) => (
                <Button
                  key={usd}
                  size="small"
                  text={`$${usd}`}
                  onClick={() => setQuota(String(usd * display.quotaPerUnit))}
                />
              ))}
            </div>
          </>
        )}
      </Field>
      {isNew && (
        <Field label={t('count')} hint={t('count-hint')} name="count">
          {(id) => (
            <InputGroup
              id={id}
              type="number"
              min={1}
              max={maxRedemptionCount}
              value={count}
              onValueChange={setCount}
            />
          )}
        </Field>
      )}
    </SideDrawer>
  );
};
