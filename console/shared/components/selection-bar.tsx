import { Button } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{ count: number; onClear: () => void; children: ReactNode }>;

/** What can be done to the selected rows, at the bottom of the window while there are any. */
export const SelectionBar = ({ count, onClear, children }: Props) => {
  const { t } = useTranslation('common');
  if (count === 0) return null;
  return (
    <section className="selection-bar" aria-label={t('selected', { count })}>
      <strong aria-live="polite">{t('selected', { count })}</strong>
      {children}
      <Button
        variant="minimal"
        icon={<Cross />}
        aria-label={t('clear-selection')}
        title={t('clear-selection')}
        onClick={onClear}
      />
    </section>
  );
};
