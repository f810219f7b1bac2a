import { Button, Callout, Dialog, DialogBody, InputGroup } from '@blueprintjs/core';
import { MobilePhone } from '@blueprintjs/icons';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { focusFirstProblem, useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { asCurrency, formatUnits } from '../../../shared/format/quota.ts';
import { writeLocal } from '../../../shared/local-values.ts';
import { useQuotaDisplay, useStatus } from '../../../shared/status.ts';
import { type OpenOrder, usePayByCode, usePayByJump, usePrice } from '../api/payments.ts';
import { tierOf } from './bonus-tiers.ts';

const settleMs = 300;

/** The value once it has not changed for a moment. */
const useSettled = <T,>(value: T): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};

const isPhone = (): boolean => /android|iphone|ipad|ipod|mobile/i.test(navigator.userAgent);

const wholeOf = (text: string): number | null => {
  const value = Number(text.trim());
  return text.trim() !== '' && Number.isSafeInteger(value) && value > 0 ? value : null;
};

/** Unit of amounts: whole dollars, or quota units where the site shows no currency. */
const useAmountUnit = () => {
  const { quotaPerUnit, inCurrency } = useQuotaDisplay();
  const { min_topup } = useStatus();
  return {
    min: inCurrency ? min_topup : Math.ceil(min_topup * quotaPerUnit),
    amountOf: (dollars: number) => (inCurrency ? dollars : Math.ceil(dollars * quotaPerUnit)),
    dollarsOf: (amount: number) => (inCurrency ? amount : amount / quotaPerUnit),
    textOf: (amount: number) => (inCurrency ? `$${amount}` : formatUnits(amount)),
  };
};

type TierProps = Readonly<{ amount: number; bonusQuota: number | null }>;

const TierLine = ({ amount, bonusQuota }: TierProps) => {
  const { t } = useTranslation('wallet');
  const display = useQuotaDisplay();
  const { dollarsOf, amountOf, textOf } = useAmountUnit();
  const { topup_bonus_tiers } = useStatus();
  const { current, next } = tierOf(topup_bonus_tiers, dollarsOf(amount));
  return (
    <p className="topup-tier">
      {current === null
        ? t('tier-none')
        : t('tier', {
            percent: current.percent,
            bonus: bonusQuota === null ? '…' : asCurrency(bonusQuota, display),
          })}{' '}
      {next && (
        <span className="subtle">
          {t('tier-next', {
            more: textOf(amountOf(next.dollars) - amount),
            percent: next.percent,
          })}
        </span>
      )}
    </p>
  );
};

type PicksProps = Readonly<{ amount: number | null; onPick: (dollars: number) => void }>;

/** An amount for each tier of the bonus. */
const Picks = ({ amount, onPick }: PicksProps) => {
  const { t } = useTranslation('wallet');
  const { topup_bonus_tiers } = useStatus();
  const { amountOf, textOf } = useAmountUnit();
  return (
    <fieldset className="topup-picks">
      <legend>{t('picks')}</legend>
      {topup_bonus_tiers.map(({ dollars, percent }) => (
        <Button
          key={dollars}
          active={amount === amountOf(dollars)}
          aria-pressed={amount === amountOf(dollars)}
          onClick={() => onPick(dollars)}
        >
          <strong>{textOf(amountOf(dollars))}</strong>
          <span>+{percent}%</span>
        </Button>
      ))}
    </fieldset>
  );
};

/** Refusals that are about the amount. */
const fieldOf = {
  'topup.invalid-amount': 'amount',
  'topup.below-minimum': 'amount',
  'topup.too-cheap': 'amount',
  'topup.too-much': 'amount',
  'topup.account-full': 'amount',
};

/** `offId`: of the words on why nothing can be paid; null: something can. */
type PayProps = Readonly<{ isSending: boolean; offId: string | null }>;

const PayButton = ({ isSending, offId }: PayProps) => {
  const { t } = useTranslation('wallet');
  return (
    <Button
      type="submit"
      intent="success"
      icon={<MobilePhone />}
      text={t('pay-wechat')}
      loading={isSending}
      disabled={offId !== null}
      {...(offId !== null && { 'aria-describedby': offId })}
    />
  );
};

type Props = Readonly<{ onOrdered: (order: OpenOrder) => void }>;

/** Choose an amount, see what it costs and brings, and order it. */
export const TopUpCard = ({ onOrdered }: Props) => {
  const { t } = useTranslation('wallet');
  const display = useQuotaDisplay();
  const { enable_online_topup } = useStatus();
  const isOff = enable_online_topup === false;
  const offId = useId();
  const { min, amountOf, textOf } = useAmountUnit();
  const [text, setText] = useState('');
  const [isAsking, setAsking] = useState(false);
  const amount = wholeOf(text);
  const isEnough = amount !== null && amount >= min;
  const settled = useSettled(isEnough ? amount : null);
  const price = usePrice(settled);
  const byCode = usePayByCode();
  const byJump = usePayByJump();
  const isSending = byCode.isPending || byJump.isPending;
  const isPriced = isEnough && settled === amount && price.data !== undefined;

  const { problem, report } = useFormProblem(text);
  const showRefusal = useRefusals(report, fieldOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failure is shown once
  useEffect(() => {
    if (price.error !== null) showRefusal(price.error);
  }, [price.error]);
  const begin = () => {
    if (!isEnough) return report('amount', t('below-minimum', { min }));
    setAsking(true);
  };
  const pay = () => {
    if (amount === null) return;
    if (isPhone()) {
      byJump.mutate(amount, {
        onSuccess: ({ url, tradeNo }) => {
          writeLocal('topup_trade_no', tradeNo);
          window.location.assign(url);
        },
        onError: showRefusal,
        onSettled: () => setAsking(false),
      });
      return;
    }
    byCode.mutate(amount, {
      onError: showRefusal,
      onSuccess: onOrdered,
      onSettled: () => setAsking(false),
    });
  };
  const money = isPriced ? price.data.money : '0';
  return (
    <section className="panel panel-body topup-card" aria-label={t('topup-title')}>
      <h2 className="panel-title">{t('topup-title')}</h2>
      <p className="panel-lead">{t('topup-lead')}</p>
      {isOff && (
        <Callout id={offId} compact intent="warning" className="topup-off">
          {t('not-set-up')}
        </Callout>
      )}
      <Picks amount={amount} onPick={(dollars) => setText(String(amountOf(dollars)))} />
      <ProblemForm problem={problem} onSubmit={begin}>
        <Field label={display.inCurrency ? t('amount') : t('amount-units')} name="amount">
          {(id) => (
            <InputGroup
              id={id}
              inputMode="numeric"
              autoComplete="off"
              placeholder={t('amount-hint', { min: textOf(min) })}
              value={text}
              onValueChange={setText}
            />
          )}
        </Field>
        <p className="topup-payable" aria-live="polite">
          {t('payable', { money })}
        </p>
        {amount !== null && (
          <TierLine amount={amount} bonusQuota={isPriced ? price.data.bonusQuota : null} />
        )}
        <div className="button-row">
          <PayButton isSending={isSending} offId={isOff ? offId : null} />
        </div>
      </ProblemForm>
      <Dialog
        isOpen={isAsking}
        // The field that was refused, not the button that opened this.
        onClosed={() => focusFirstProblem(document.body)}
        onClose={() => setAsking(false)}
        title={t('confirm-title')}
        className="tg-dialog is-small"
      >
        <DialogBody>
          <dl className="topup-facts">
            <dt>{t('confirm-amount')}</dt>
            <dd>{amount === null ? '' : textOf(amount)}</dd>
            <dt>{t('confirm-money')}</dt>
            <dd>{t('yuan', { money })}</dd>
            <dt>{t('confirm-bonus')}</dt>
            <dd>{isPriced ? asCurrency(price.data.bonusQuota, display) : '…'}</dd>
          </dl>
        </DialogBody>
        <DialogButtons
          isDisabled={!isPriced}
          isSending={isSending}
          onCancel={() => setAsking(false)}
          onConfirm={pay}
        />
      </Dialog>
    </section>
  );
};
