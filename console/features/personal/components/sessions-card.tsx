import { Button, Checkbox, Classes, Dialog, DialogBody } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { paths } from '../../../shared/paths.ts';
import { clearUser } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.ts';
import { type UserSession, useEndSessions, useSessions } from '../api/sessions.ts';
import { SessionRow } from './session-row.tsx';

/** More than this are shown on demand. */
const shownAtFirst = 5;

const EverywhereDialog = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const { t } = useTranslation('personal');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const end = useEndSessions();
  const [isKept, setKept] = useState(true);
  const submit = () => {
    const done = () => {
      toast('success', t('everywhere-done'));
      onClose();
      if (isKept) {
        void queryClient.invalidateQueries({ queryKey: ['user', 'sessions'] });
        return;
      }
      clearUser();
      void navigate(paths.login);
    };
    end.mutate({ isKept }, { onSuccess: done });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('everywhere')}
      className="tg-dialog everywhere-dialog"
    >
      <DialogBody>
        <p>{t('everywhere-hint')}</p>
        <Checkbox
          label={t('everywhere-keep')}
          checked={isKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
      </DialogBody>
      <DialogButtons
        text={t('everywhere')}
        isDanger
        isSending={end.isPending}
        onCancel={onClose}
        onConfirm={submit}
      />
    </Dialog>
  );
};

/** The own device first, then the ones used last. */
const inOrder = (sessions: readonly UserSession[]): readonly UserSession[] =>
  sessions.toSorted(
    (left, right) =>
      Number(right.current) - Number(left.current) || right.last_used_at - left.last_used_at,
  );

const SessionList = ({ sessions }: Readonly<{ sessions: readonly UserSession[] }>) => {
  const { t } = useTranslation('personal');
  const [isWhole, setWhole] = useState(false);
  const all = inOrder(sessions);
  const shown = isWhole ? all : all.slice(0, shownAtFirst);
  const hidden = all.length - shown.length;
  return (
    <>
      <ul className="bindings devices" aria-label={t('devices-title')}>
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {hidden > 0 && (
        <div className="devices-more">
          <Button
            size="small"
            variant="minimal"
            text={t('devices-more', { number: hidden })}
            onClick={() => setWhole(true)}
          />
        </div>
      )}
    </>
  );
};

/** Where the user is signed in. */
export const SessionsCard = () => {
  const { t } = useTranslation('personal');
  const sessions = useSessions();
  const [isAsking, setAsking] = useState(false);
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('devices-title')}</h2>
      <p className="panel-lead">{t('devices-lead')}</p>
      {sessions.isPending && <div className={`${Classes.SKELETON} devices-skeleton`} />}
      {sessions.isError && (
        <LoadFailed error={sessions.error} onRetry={() => void sessions.refetch()} />
      )}
      {sessions.data && <SessionList sessions={sessions.data} />}
      <Button
        className="devices-everywhere"
        text={t('everywhere')}
        onClick={() => setAsking(true)}
      />
      {isAsking && <EverywhereDialog onClose={() => setAsking(false)} />}
    </section>
  );
};
