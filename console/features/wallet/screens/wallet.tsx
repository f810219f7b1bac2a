import { Button, Dialog, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core';
import { Barcode } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useSelf } from '../../../shared/account.ts';
import { Field } from '../../../shared/components/field.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { asCurrency, formatQuota, formatUnits } from '../../../shared/format/quota.ts';
import { readLocal, removeLocal } from '../../../shared/local-values.ts';
import { paths } from '../../../shared/paths.ts';
import { useQuotaDisplay, useStatus } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import type { OpenOrder } from '../api/payments.ts';
import { useRedeem } from '../api/wallet.ts';
import { OrderList } from '../components/order-list.tsx';
import { PayDialog } from '../components/pay-dialog.tsx';
import { TopUpCard } from '../components/top-up-card.tsx';

const Balance = () => {
  const { t } = useTranslation('wallet');
  const display = useQuotaDisplay();
  const self = useSelf().data;
  return (
    <section className="panel panel-body wallet-balance">
      <h2 className="panel-title">{t('balance')}</h2>
      <strong>{self ? formatQuota(self.quota, display) : '…'}</strong>
      <p className="subtle">
        {self && t('units', { count: self.quota, units: formatUnits(self.quota) })}
      </p>
      <Link to={paths.ledger}>{t('open-ledger')}</Link>
    </section>
  );
};

/** Refusals that are about the code. */
const redeemRefusals: Readonly<Record<string, string>> = {
  'redemption.unknown-code': 'code',
  'redemption.already-used': 'code',
  'redemption.disabled': 'code',
  'redemption.code-required': 'code',
  'redemption.own-code': 'code',
};

const RedeemCard = () => {
  const { t } = useTranslation(['wallet', 'common']);
  const display = useQuotaDisplay();
  const { top_up_link } = useStatus();
  const [code, setCode] = useState('');
  const [credited, setCredited] = useState<number | null>(null);
  const redeem = useRedeem();
  const { problem, report } = useFormProblem(code);
  const showRefusal = useRefusals(report, redeemRefusals);
  const submit = () => {
    const key = code.trim();
    if (key === '') return report('code', t('code-missing'));
    redeem.mutate(key, {
      onError: showRefusal,
      onSuccess: (quota) => {
        setCode('');
        setCredited(quota);
      },
    });
  };
  const getCodes = () => {
    if (top_up_link) window.open(top_up_link, '_blank', 'noopener');
    else toast('error', t('no-link'));
  };
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('redeem-title')}</h2>
      <p className="panel-lead">{t('redeem-lead')}</p>
      <ProblemForm problem={problem} onSubmit={submit}>
        <Field label={t('code')} name="code">
          {(id) => (
            <InputGroup
              id={id}
              leftIcon={<Barcode className="input-icon" />}
              autoComplete="off"
              value={code}
              onValueChange={setCode}
            />
          )}
        </Field>
        <div className="button-row">
          <Button
            type="submit"
            intent="primary"
            text={redeem.isPending ? t('redeeming') : t('redeem')}
            disabled={redeem.isPending}
          />
          <Button text={t('get-codes')} onClick={getCodes} />
        </div>
      </ProblemForm>
      <Dialog
        isOpen={credited !== null}
        onClose={() => setCredited(null)}
        title={t('redeemed')}
        className="tg-dialog is-small"
      >
        <DialogBody>
          <p>
            {t('credited', {
              count: credited ?? 0,
              units: formatUnits(credited ?? 0),
              amount: asCurrency(credited ?? 0, display),
            })}
          </p>
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Link className="bp6-button" to={`${paths.ledger}?kind=QuotaGranted`}>
                {t('common:money-show')}
              </Link>
              <Button
                intent="primary"
                text={t('common:finish')}
                onClick={() => setCredited(null)}
              />
            </>
          }
        />
      </Dialog>
    </section>
  );
};

/** An order for which a phone left the page is followed when the user returns. */
const leftOrder = (): OpenOrder | null => {
  const tradeNo = readLocal('topup_trade_no');
  if (tradeNo === null || tradeNo === '') return null;
  return { trade_no: tradeNo, code_url: '', QRcode_url: '', expire_seconds: 300, money: '' };
};

export const Wallet = () => {
  const { t } = useTranslation('wallet');
  const [order, setOrder] = useState<OpenOrder | null>(leftOrder);
  const leave = () => {
    removeLocal('topup_trade_no');
    setOrder(null);
  };
  return (
    <Page title={t('title')} lead={t('lead')}>
      <div className="card-pair">
        <Balance />
        <RedeemCard />
      </div>
      <TopUpCard onOrdered={setOrder} />
      <OrderList onPay={setOrder} />
      {order && <PayDialog key={order.trade_no} order={order} onClose={leave} onAgain={leave} />}
    </Page>
  );
};
