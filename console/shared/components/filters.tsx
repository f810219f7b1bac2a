import { Button } from '@blueprintjs/core';
import { Filter } from '@blueprintjs/icons';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../hooks/use-is-narrow.ts';

type Props = Readonly<{
  /** How many filters narrow the list now. */
  active: number;
  className?: string;
  onSubmit?: () => void;
  children: ReactNode;
}>;

/** The fields above a list. On a phone they wait behind a button, so that rows are seen first. */
export const Filters = ({ active, className = '', onSubmit, children }: Props) => {
  const { t } = useTranslation('common');
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const fields = (
    <form
      id={id}
      className={`toolbar ${className}`}
      onSubmit={(event) => {
        event.preventDefault();
        setOpen(false);
        onSubmit?.();
      }}
    >
      {children}
    </form>
  );
  if (!isNarrow) return fields;
  return (
    <>
      <div className="toolbar is-second">
        <Button
          fill
          icon={<Filter />}
          active={isOpen}
          aria-expanded={isOpen}
          aria-controls={id}
          text={active > 0 ? t('filters-active', { count: active }) : t('filters')}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {isOpen && fields}
    </>
  );
};
