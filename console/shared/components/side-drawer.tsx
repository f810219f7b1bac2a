import { Button, Classes, Drawer } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../hooks/use-is-narrow.ts';
import { LoadFailed } from './load-failed.tsx';

type Props = Readonly<{
  title: string;
  isOpen: boolean;
  /** New things come in from the left, existing ones from the right. */
  side: 'left' | 'right';
  isSaving: boolean;
  submitText: string;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}>;

/** A form beside the list it belongs to. A click outside does not lose what was typed. */
export const SideDrawer = (props: Props) => {
  const { t } = useTranslation('common');
  const isNarrow = useIsNarrow();
  return (
    <Drawer
      title={props.title}
      isOpen={props.isOpen}
      onClose={props.onClose}
      position={props.side}
      size={isNarrow ? '100%' : 600}
      canOutsideClickClose={false}
      className="tg-drawer"
    >
      <div role="dialog" aria-modal aria-label={props.title} className="drawer-form">
        <form
          className="drawer-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            props.onSubmit();
          }}
        >
          <div className={Classes.DRAWER_BODY}>
            <div className="drawer-fields">{props.children}</div>
          </div>
          <div className={Classes.DRAWER_FOOTER}>
            <Button text={t('cancel')} onClick={props.onClose} />
            <Button
              type="submit"
              intent="primary"
              text={props.submitText}
              loading={props.isSaving}
            />
          </div>
        </form>
      </div>
    </Drawer>
  );
};

type LoadingProps = Readonly<{
  title: string;
  query: UseQueryResult<unknown>;
  onClose: () => void;
}>;

/** The same while what is to be edited is on its way, or does not come. */
export const LoadingDrawer = ({ title, query, onClose }: LoadingProps) => {
  const { t } = useTranslation('common');
  return (
    <SideDrawer
      title={title}
      isOpen
      side="right"
      isSaving={!query.isError}
      submitText={t('submit')}
      onSubmit={() => undefined}
      onClose={onClose}
    >
      {query.isError ? (
        <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        ['a', 'b', 'c', 'd'].map((row) => (
          <div key={row} className={`${Classes.SKELETON} field-skeleton`} />
        ))
      )}
    </SideDrawer>
  );
};
