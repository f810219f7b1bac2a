import { Button, Callout, InputGroup } from '@blueprintjs/core';
import { Calculator } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxReasonLength } from '../../../../command-api/contract/limits.ts';
import { Field } from '../../../shared/components/field.tsx';
import { Money } from '../../../shared/components/money.tsx';
import { MoneyConfirmation } from '../../../shared/components/money-confirmation.tsx';
import { MoneyReceipt } from '../../../shared/components/money-receipt.tsx';
import { SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { asExactCurrency } from '../../../shared/format/quota.ts';
import { ledgerOf } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { type Repricing, usePostCorrection, useReprice } from '../api/dispute.ts';
import type { LedgerEntry } from '../api/ledger.ts';
import { noOverrides, OverrideFields, overridesOf } from './override-fields.tsx';

type Props = Readonly<{
  userId: number;
  charges: readonly LedgerEntry[];
  /** Quota units now; null while the past is shown. */
  balance: number | null;
  onClose: () => void;
  onPosted: () => void;
}>;

const Comparison = ({ result }: Readonly<{ result: Repricing }>) => {
  const { t } = useTranslation('ledger');
  return (
    <table className="steps comparison" aria-label={t('comparison')}>
      <thead>
        <tr>
          <th scope="col">{t('charge')}</th>
          <th scope="col">{t('old-amount')}</th>
          <th scope="col">{t('new-amount')}</th>
          <th scope="col">{t('difference')}</th>
        </tr>
      </thead>
      <tbody>
        {result.items.map((item) => (
          <tr key={item.event_id}>
            <td>
              {item.model_name}
              <small className="subtle block">{item.request_id}</small>
            </td>
            <td>
              <Money units={item.old_amount} isExact />
            </td>
            <td>
              <Money units={item.new_amount} isExact />
            </td>
            <td>
              <Money units={item.difference} isExact isDelta />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>{t('sum')}</td>
          <td>
            <Money units={result.old_amount} isExact />
          </td>
          <td>
            <Money units={result.new_amount} isExact />
          </td>
          <td>
            <Money units={result.difference} isExact isDelta />
          </td>
        </tr>
      </tfoot>
    </table>
  );
};

const isDelta = (text: string): boolean => /^-?\d{1,15}$/.test(text) && Number(text) !== 0;

/** Re-prices charges without writing, then posts a movement that names what it corrects. */
/** Refusals that are about the amount. */
const fieldOf = {
  'account.correction-exceeds-charge': 'delta',
  'account.invalid-amount': 'delta',
  'account.overflow': 'delta',
};

export const DisputeDrawer = ({ userId, charges, balance, onClose, onPosted }: Props) => {
  const { t } = useTranslation('ledger');
  const [texts, setTexts] = useState(noOverrides);
  const [delta, setDelta] = useState('');
  const [reason, setReason] = useState('');
  const [reference, setReference] = useState('');
  const [key] = useState(() => crypto.randomUUID());
  const reprice = useReprice();
  const post = usePostCorrection();
  const display = useQuotaDisplay();
  const [isConfirming, setConfirming] = useState(false);
  const draft = { texts, delta, reason, reference };
  const { problem, report } = useFormProblem(draft);
  const showRefusal = useRefusals(report, fieldOf);
  const requests = charges.map(({ request_id }) => request_id);

  const dryRun = () => {
    const overrides = overridesOf(texts);
    if (overrides === null) {
      report('override', t('override-missing'));
      return;
    }
    reprice.mutate(
      { user_id: userId, request_ids: requests, overrides },
      { onSuccess: ({ difference }) => setDelta(String(difference)) },
    );
  };
  const submit = () => {
    if (!isDelta(delta)) return report('delta', t('correction-delta-wrong'));
    if (reason.trim() === '') return report('reason', t('correction-reason-missing'));
    setConfirming(true);
  };
  const send = () => {
    const texts = { reason: reason.trim(), reference: reference.trim() };
    post.mutate(
      { key, user_id: userId, delta: Number(delta), corrects: requests, ...texts },
      {
        onError: showRefusal,
        onSettled: () => setConfirming(false),
        onSuccess: onPosted,
      },
    );
  };

  if (post.data && post.variables) {
    return (
      <MoneyReceipt
        title={t('correction-posted')}
        delta={post.variables.delta}
        balance={post.data.balance}
        reason={post.variables.reason}
        to={`${ledgerOf(userId)}?kind=CorrectionPosted`}
        onClose={onClose}
      />
    );
  }

  return (
    <SideDrawer
      title={t('dispute-title', { count: charges.length })}
      isOpen
      side="right"
      isSaving={post.isPending}
      submitText={t('review-correction')}
      draft={draft}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Callout compact intent="primary">
        {t('dispute-note')}
      </Callout>
      <OverrideFields texts={texts} onChange={setTexts} />
      {problem?.field === 'override' && (
        <p className="error-text" role="alert">
          {problem.text}
        </p>
      )}
      <Button
        icon={<Calculator />}
        text={t('dry-run')}
        loading={reprice.isPending}
        onClick={dryRun}
      />
      {reprice.data && <Comparison result={reprice.data} />}
      <h2 className="form-section">{t('correction')}</h2>
      <Field
        label={t('correction-delta')}
        name="delta"
        hint={
          isDelta(delta)
            ? t('correction-worth', { amount: asExactCurrency(Number(delta), display) })
            : t('correction-delta-hint')
        }
        isRequired
      >
        {(id) => <InputGroup id={id} inputMode="numeric" value={delta} onValueChange={setDelta} />}
      </Field>
      <Field label={t('correction-reason')} name="reason" isRequired>
        {(id) => (
          <InputGroup
            id={id}
            maxLength={maxReasonLength}
            value={reason}
            onValueChange={setReason}
          />
        )}
      </Field>
      <Field label={t('correction-reference')} hint={t('correction-reference-hint')}>
        {(id) => (
          <InputGroup id={id} maxLength={200} value={reference} onValueChange={setReference} />
        )}
      </Field>
      <MoneyConfirmation
        isOpen={isConfirming}
        title={t('correction-question')}
        confirmText={t('post-correction')}
        delta={Number(delta)}
        balance={balance}
        reason={reason.trim()}
        isSending={post.isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={send}
      />
    </SideDrawer>
  );
};
