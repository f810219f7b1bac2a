import { Button, Classes, Drawer } from '@blueprintjs/core';
import { ChevronDown, ChevronUp } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../hooks/use-is-narrow.ts';

type Props = Readonly<{
  title: string;
  isOpen: boolean;
  /** Null at the ends of the list. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  onClose: () => void;
  /** After the drawer has gone: the time to give the focus back. */
  onClosed: () => void;
  children: ReactNode;
}>;

/** Every fact of one row, next to the list on a wide screen, over it on a narrow one. */
export const RowDrawer = (props: Props) => {
  const { t } = useTranslation('common');
  const isNarrow = useIsNarrow();
  const step = (name: 'previous-row' | 'next-row', action: (() => void) | null) => (
    <Button
      variant="minimal"
      icon={name === 'next-row' ? <ChevronDown /> : <ChevronUp />}
      aria-label={t(name)}
      title={t(name)}
      disabled={action === null}
      onClick={() => action?.()}
    />
  );
  return (
    <Drawer
      isOpen={props.isOpen}
      onClose={props.onClose}
      onClosed={props.onClosed}
      position={isNarrow ? 'bottom' : 'right'}
      size={isNarrow ? '88%' : 520}
      className="tg-drawer row-drawer"
      title={
        <span className="row-drawer-head">
          <span className="row-drawer-title" title={props.title}>
            {props.title}
          </span>
          {step('previous-row', props.onPrevious)}
          {step('next-row', props.onNext)}
        </span>
      }
    >
      <div role="dialog" aria-label={props.title} className={Classes.DRAWER_BODY}>
        <div className="drawer-fields">{props.children}</div>
      </div>
    </Drawer>
  );
};
