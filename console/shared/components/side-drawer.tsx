import { Button, Classes, Drawer } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FormProblem, FormProblemContext, focusFirstProblem } from '../form-problem.ts';
import { useIsNarrow } from '../hooks/use-is-narrow.ts';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { useIsEdited, useUnloadQuestion } from '../hooks/use-unsaved.ts';
import { DiscardQuestion } from './discard-question.tsx';
import { LoadFailed } from './load-failed.tsx';

type Props = Readonly<{
  title: string;
  isOpen: boolean;
  /** New things slide in from the left, existing ones from the right. */
  side: 'left' | 'right';
  isSaving: boolean;
  submitText: string;
  /** Content of the form; once it differs from the beginning, closing asks first. */
  draft?: unknown;
  /** Shown at the field that it names. */
  problem?: FormProblem | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}>;

/** A form next to the list it belongs to. A click outside does not lose what was typed. */
export const SideDrawer = (props: Props) => {
  const { t } = useTranslation('common');
  const isNarrow = useIsNarrow();
  const isEdited = useIsEdited(props.draft ?? null) && props.isOpen;
  const [isAsking, setAsking] = useState(false);
  const close = () => (isEdited ? setAsking(true) : props.onClose());
  useUnloadQuestion(isEdited);
  useReturnFocus(props.isOpen);
  return (
    <Drawer
      title={props.title}
      isOpen={props.isOpen}
      onClose={close}
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
            focusFirstProblem(event.currentTarget);
          }}
        >
          <div className={Classes.DRAWER_BODY}>
            <FormProblemContext value={props.problem ?? null}>
              <div className="drawer-fields">{props.children}</div>
            </FormProblemContext>
          </div>
          <div className={Classes.DRAWER_FOOTER}>
            <Button text={t('cancel')} onClick={close} />
            <Button
              type="submit"
              intent="primary"
              text={props.submitText}
              loading={props.isSaving}
            />
          </div>
        </form>
      </div>
      <DiscardQuestion
        isOpen={isAsking}
        onKeep={() => setAsking(false)}
        onDiscard={() => {
          setAsking(false);
          props.onClose();
        }}
      />
    </Drawer>
  );
};

type LoadingProps = Readonly<{
  title: string;
  query: UseQueryResult<unknown>;
  onClose: () => void;
}>;

/** The same while the record to be edited is loading, or fails to. */
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
