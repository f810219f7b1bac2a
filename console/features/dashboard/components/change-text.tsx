import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import type { Change } from './change.ts';

/** Which way a figure had better not go. */
export type Meaning = 'neutral' | 'lower-is-better' | 'higher-is-better';

const classOfChange = ({ direction }: Change, meaning: Meaning): string => {
  if (meaning === 'neutral' || direction === 'same') return 'change';
  const isBetter = (direction === 'up') === (meaning === 'higher-is-better');
  return isBetter ? 'change is-better' : 'change is-worse';
};

type Props = Readonly<{ change: Change | null; meaning: Meaning }>;

/** How a figure moved against the period before, in words. */
export const ChangeText = ({ change, meaning }: Props) => {
  const { t } = useTranslation('dashboard');
  if (change === null) return <span className="change">{t('change.none')}</span>;
  const { direction, percent } = change;
  const text = () => {
    if (direction === 'same') return t('change.same');
    if (percent === null) return t('change.new');
    return t(`change.${direction}`, { percent });
  };
  return (
    <span className={classOfChange(change, meaning)} title={t('change.hint')}>
      {direction === 'up' && <ArrowUp size={12} />}
      {direction === 'down' && <ArrowDown size={12} />}
      {text()}
    </span>
  );
};
