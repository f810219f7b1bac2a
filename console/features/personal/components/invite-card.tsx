import { Button, Dialog, DialogBody, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserRow } from '../../../../projections/contract/user.ts';
import { useCopy } from '../../../shared/clipboard.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { asCurrency, formatQuota } from '../../../shared/format/quota.ts';
import { paths } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { useAffCode, useTransferReward } from '../api/personal.ts';

const fieldOf = {
  'user.transfer-too-small': 'amount',
  'account.reward-exhausted': 'amount',
  'account.invalid-amount': 'amount',
  'account.overflow': 'amount',
};

type DialogProps = Readonly<{ available: number; onClose: () => void }>;

const TransferDialog = ({ available, onClose }: DialogProps) => {
  const { t } = useTranslation('personal');
  const display = useQuotaDisplay();
  const [amount, setAmount] = useState(String(display.quotaPerUnit));
  const transfer = useTransferReward();
  const { problem, report } = useFormProblem(amount);
  const showRefusal = useRefusals(report, fieldOf);
  const submit = () => {
    const quota = Number(amount);
    if (!Number.isSafeInteger(quota) || quota < display.quotaPerUnit) {
      return report(
        'amount',
        t('transfer-least', { amount: asCurrency(display.quotaPerUnit, display) }),
      );
    }
    const done = () => {
      toast('success', t('transfer-done'));
      onClose();
    };
    transfer.mutate(quota, { onError: showRefusal, onSuccess: done });
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('transfer-title')} className="tg-dialog is-small">
      <ProblemForm problem={problem} onSubmit={submit}>
        <DialogBody>
          <p className="panel-lead">
            {t('transfer-available', { amount: formatQuota(available, display) })}
          </p>
          <Field
            label={t('transfer-amount')}
            name="amount"
            hint={asCurrency(Math.trunc(Number(amount)) || 0, display)}
          >
            {(id) => (
              <InputGroup id={id} inputMode="numeric" value={amount} onValueChange={setAmount} />
            )}
          </Field>
        </DialogBody>
        <DialogButtons text={t('transfer')} isSending={transfer.isPending} onCancel={onClose} />
      </ProblemForm>
    </Dialog>
  );
};

/** What inviting others brought, and the link to invite with. */
export const InviteCard = ({ user }: Readonly<{ user: UserRow }>) => {
  const { t } = useTranslation('personal');
  const display = useQuotaDisplay();
  const copy = useCopy();
  const [isOpen, setOpen] = useState(false);
  const code = useAffCode().data ?? '';
  const link = `${window.location.origin}${paths.register}?aff=${encodeURIComponent(code)}`;
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('invite-title')}</h2>
      <dl className="facts invite-facts">
        <dt>{t('invite-waiting')}</dt>
        <dd>
          {formatQuota(user.aff_quota, display)}{' '}
          <Button
            size="small"
            text={t('transfer')}
            disabled={user.aff_quota <= 0}
            onClick={() => setOpen(true)}
          />
        </dd>
        <dt>{t('invite-total')}</dt>
        <dd>{formatQuota(user.aff_history_quota, display)}</dd>
        <dt>{t('invite-count')}</dt>
        <dd>{user.aff_count}</dd>
      </dl>
      <InputGroup
        readOnly
        value={code === '' ? '' : link}
        aria-label={t('invite-link')}
        onFocus={(event) => event.target.select()}
        rightElement={
          <Button
            variant="minimal"
            text={t('invite-copy')}
            disabled={code === ''}
            onClick={() => void copy(link, t('invite-copied'))}
          />
        }
      />
      {isOpen && <TransferDialog available={user.aff_quota} onClose={() => setOpen(false)} />}
    </section>
  );
};
