import { Button, Callout, InputGroup } from '@blueprintjs/core';
import { Calculator } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxReasonLength } from '../../../../command-api/contract/limits.ts';
import { Field } from '../../../shared/components/field.tsx';
import { SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { toast } from '../../../shared/toast.ts';
import { type Repricing, usePostCorrection, useReprice } from '../api/dispute.ts';
import type { LedgerEntry } from '../api/ledger.ts';
import { noOverrides, OverrideFields, overridesOf } from './override-fields.tsx';

type Props = Readonly<{
  userId: number;
  charges: readonly LedgerEntry[];
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
            <td>{formatUnits(item.old_amount)}</td>
            <td>{formatUnits(item.new_amount)}</td>
            <td>{formatUnits(item.difference)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>{t('sum')}</td>
          <td>{formatUnits(result.old_amount)}</td>
          <td>{formatUnits(result.new_amount)}</td>
          <td>{formatUnits(result.difference)}</td>
        </tr>
      </tfoot>
    </table>
  );
};

const isDelta = (text: string): boolean => /^-?\d{1,15}$/.test(text) && Number(text) !== 0;

/** Re-prices charges without writing, then posts a movement that names what it corrects. */
export const DisputeDrawer = ({ userId, charges, onClose, onPosted }: Props) => {
  const { t } = useTranslation('ledger');
  const [texts, setTexts] = useState(noOverrides);
  const [delta, setDelta] = useState('');
  const [reason, setReason] = useState('');
  const [reference, setReference] = useState('');
  const [key] = useState(() => crypto.randomUUID());
  const reprice = useReprice();
  const post = usePostCorrection();
  const requests = charges.map(({ request_id }) => request_id);

  const dryRun = () => {
    const overrides = overridesOf(texts);
    if (overrides === null) {
      toast('error', t('override-missing'));
      return;
    }
    reprice.mutate(
      { user_id: userId, request_ids: requests, overrides },
      { onSuccess: ({ difference }) => setDelta(String(difference)) },
    );
  };
  const submit = () => {
    if (!isDelta(delta) || reason.trim() === '') {
      toast('error', t('correction-incomplete'));
      return;
    }
    const texts = { reason: reason.trim(), reference: reference.trim() };
    post.mutate(
      { key, user_id: userId, delta: Number(delta), corrects: requests, ...texts },
      {
        onSuccess: () => {
          toast('success', t('correction-posted'));
          onPosted();
        },
      },
    );
  };

  return (
    <SideDrawer
      title={t('dispute-title', { count: charges.length })}
      isOpen
      side="right"
      isSaving={post.isPending}
      submitText={t('post-correction')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Callout compact intent="primary">
        {t('dispute-note')}
      </Callout>
      <OverrideFields texts={texts} onChange={setTexts} />
      <Button
        icon={<Calculator />}
        text={t('dry-run')}
        loading={reprice.isPending}
        onClick={dryRun}
      />
      {reprice.data && <Comparison result={reprice.data} />}
      <h2 className="form-section">{t('correction')}</h2>
      <Field label={t('correction-delta')} hint={t('correction-delta-hint')} isRequired>
        {(id) => <InputGroup id={id} inputMode="numeric" value={delta} onValueChange={setDelta} />}
      </Field>
      <Field label={t('correction-reason')} isRequired>
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
    </SideDrawer>
  );
};
