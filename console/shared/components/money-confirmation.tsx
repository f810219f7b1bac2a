import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { focusFirstProblem } from '../form-problem.ts';
import { type Fact, Facts } from './facts.tsx';
import { Money } from './money.tsx';

type FactsProps = Readonly<{
  /** Quota units, signed. */
  delta: number;
  before: number | null;
  after: number | null;
  reason: string;
}>;

/** What a movement does to the balance. */
export const MoneyFacts = ({ delta, before, after, reason }: FactsProps) => {
  const { t } = useTranslation('common');
  const facts: Fact[] = [];
  if (before !== null) {
    facts.push([t('money-before'), <Money key="before" units={before} isExact />]);
  }
  facts.push([t('money-change'), <Money key="change" units={delta} isExact isDelta />]);
  if (after !== null) {
    facts.push([t('money-after'), <Money key="after" units={after} isExact />]);
  }
  if (reason !== '') facts.push([t('money-reason'), reason]);
  return <Facts facts={facts} />;
};

type Props = Readonly<{
  isOpen: boolean;
  title: string;
  confirmText: string;
  delta: number;
  /** Quota units before the movement; null where they are unknown. */
  balance: number | null;
  reason: string;
  isSending: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}>;

/** Before a manual movement of money: what will happen. */
export const MoneyConfirmation = (props: Props) => {
  const { t } = useTranslation('common');
  const { delta, balance } = props;
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onCancel}
      title={props.title}
      // The field that was refused, not the button that opened this.
      onClosed={() => focusFirstProblem(document.body)}
    >
      <DialogBody>
        <MoneyFacts
          delta={delta}
          before={balance}
          after={balance === null ? null : balance + delta}
          reason={props.reason}
        />
        <Callout compact intent="warning" className="money-final">
          {t('money-final')}
        </Callout>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('cancel')} onClick={props.onCancel} />
            <Button
              intent="primary"
              text={props.confirmText}
              loading={props.isSending}
              onClick={props.onConfirm}
            />
          </>
        }
      />
    </Dialog>
  );
};
