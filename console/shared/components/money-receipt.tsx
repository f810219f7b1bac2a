import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { MoneyFacts } from './money-confirmation.tsx';

type Props = Readonly<{
  title: string;
  delta: number;
  /** Quota units after the movement; null where the answer does not contain them. */
  balance: number | null;
  reason: string;
  /** Where the movement is listed. */
  to: string;
  onClose: () => void;
}>;

/** After a manual movement of money: what happened, and where it is recorded. */
export const MoneyReceipt = ({ title, delta, balance, reason, to, onClose }: Props) => {
  const { t } = useTranslation('common');
  const before = balance === null ? null : balance - delta;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <DialogBody>
        <MoneyFacts delta={delta} before={before} after={balance} reason={reason} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Link className="bp6-button" to={to} onClick={onClose}>
              {t('money-show')}
            </Link>
            <Button intent="primary" text={t('finish')} onClick={onClose} />
          </>
        }
      />
    </Dialog>
  );
};
