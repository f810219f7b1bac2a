import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast.ts';
import { type OpenOrder, useOrderStatus, useRefreshWallet } from '../api/payments.ts';

const codeSize = 216;

/** Seconds until the order expires, counted on the clock of this browser. */
const useCountdown = (seconds: number): number => {
  const [end] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000)));
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [end]);
  return left;
};

const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Drawn here where the provider gives the text of the code, so that no picture is loaded. */
const Code = ({ order, label }: Readonly<{ order: OpenOrder; label: string }>) => {
  if (order.code_url !== '') {
    return <QRCodeSVG value={order.code_url} size={codeSize} marginSize={2} title={label} />;
  }
  if (order.QRcode_url === '') return null;
  return <img src={order.QRcode_url} width={codeSize} height={codeSize} alt={label} />;
};

type Props = Readonly<{ order: OpenOrder; onClose: () => void; onAgain: () => void }>;

/** Follows an order until it succeeds or expires. Closing it stops the polling. */
export const PayDialog = ({ order, onClose, onAgain }: Props) => {
  const { t } = useTranslation(['wallet', 'common']);
  const left = useCountdown(order.expire_seconds);
  const status = useOrderStatus(order.trade_no);
  const refresh = useRefreshWallet();
  const isPaid = status.data === 'success';
  const isExpired = !isPaid && (status.data === 'expired' || left === 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: reported once, when the money came
  useEffect(() => {
    if (!isPaid) return;
    toast('success', t('topup-done'));
    refresh();
    onClose();
  }, [isPaid]);
  useEffect(() => {
    if (status.errorUpdateCount > 0) toast('error', t('status-failed'));
  }, [status.errorUpdateCount, t]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when its time ran out
  useEffect(() => {
    if (isExpired) refresh();
  }, [isExpired]);

  return (
    <Dialog
      isOpen
      onClose={onClose}
      canOutsideClickClose={false}
      title={t('pay-title')}
      className="tg-dialog is-small"
    >
      <DialogBody>
        <div className={`pay-code ${isExpired ? 'is-expired' : ''}`}>
          <Code order={order} label={t('scan')} />
        </div>
        {order.money !== '' && <p className="pay-money">{t('yuan', { money: order.money })}</p>}
        <p className="pay-state" role="status">
          {isExpired ? t('order-expired') : t('waiting', { left: clockText(left) })}
        </p>
        <p className="subtle pay-number">{t('trade-no', { number: order.trade_no })}</p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('common:close')} onClick={onClose} />
            {isExpired && <Button intent="primary" text={t('order-again')} onClick={onAgain} />}
          </>
        }
      />
    </Dialog>
  );
};
