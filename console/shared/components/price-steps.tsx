import { useTranslation } from 'react-i18next';
import type { PriceStepRow } from '../../../projections/contract/log.ts';
import { formatUnits } from '../format/quota.ts';

const stepNames = [
  'prompt',
  'cache-read',
  'cache-creation',
  'completion',
  'audio-input',
  'audio-cache-read',
  'audio-output',
  'image-input',
  'pictures',
  'video-seconds',
  'batch-requests',
  'web-search',
  'file-search',
  'call',
  'minimum',
  'rounding',
] as const;
const factorNames = [
  'model-ratio',
  'completion-ratio',
  'cache-ratio',
  'cache-creation-ratio',
  'audio-ratio',
  'audio-completion-ratio',
  'image-ratio',
  'picture-price',
  'size-ratio',
  'quality-ratio',
  'tool-price',
  'per-call',
  'group-ratio',
  'batch-ratio',
  'model-price',
  'second-price',
  'quota-per-unit',
] as const;

const named = <T extends string>(names: readonly T[], label: string): T | undefined =>
  names.find((name) => name === label);

/** A step or factor of a newer server is shown by its own name. */
const useNames = () => {
  const { t } = useTranslation('common');
  return {
    step: (label: string) => {
      const name = named(stepNames, label);
      return name ? t(`step.${name}`) : label;
    },
    factor: (label: string) => {
      const name = named(factorNames, label);
      return name ? t(`factor.${name}`) : label;
    },
  };
};

const Step = ({ step }: Readonly<{ step: PriceStepRow }>) => {
  const names = useNames();
  // Records of entries written before factors were kept have none.
  const factors = step.factors ?? [];
  return (
    <tr>
      <td>
        {names.step(step.label)}
        {factors.length > 0 && (
          <small className="subtle block">
            {factors.map(({ label, value }) => `${names.factor(label)} ${value}`).join(' × ')}
          </small>
        )}
      </td>
      <td>{step.ratio === '' ? '' : formatUnits(step.quantity)}</td>
      <td>{step.ratio}</td>
      <td>{step.units}</td>
    </tr>
  );
};

type Props = Readonly<{ steps: readonly PriceStepRow[]; amount: number }>;

/** The calculation of a charge, line by line; the lines add up to the amount exactly. */
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
          <Step key={step.label} step={step} />
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
