import { useTranslation } from 'react-i18next';
import type { PriceStepRow } from '../../../projections/contract/log.ts';
import { formatUnits } from '../format/quota.ts';

const known = [
  'prompt',
  'cache-read',
  'cache-creation',
  'completion',
  'call',
  'minimum',
  'rounding',
] as const;
type Known = (typeof known)[number];
const isKnown = (label: string): label is Known => known.some((name) => name === label);

type Props = Readonly<{ steps: readonly PriceStepRow[]; amount: number }>;

/** How a charge came about, line by line; the lines add up to the amount exactly. */
export const PriceSteps = ({ steps, amount }: Props) => {
  const { t } = useTranslation('common');
  return (
    <table className="steps">
      <thead>
        <tr>
          <th scope="col">{t('step')}</th>
          <th scope="col">{t('quantity')}</th>
          <th scope="col">{t('step-ratio')}</th>
          <th scope="col">{t('units')}</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <tr key={step.label}>
            <td>{isKnown(step.label) ? t(`step.${step.label}`) : step.label}</td>
            <td>{formatUnits(step.quantity)}</td>
            <td>{step.ratio}</td>
            <td>{step.units}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>{t('charged')}</td>
          <td>{formatUnits(amount)}</td>
        </tr>
      </tfoot>
    </table>
  );
};
