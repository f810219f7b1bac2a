import { Button, Tag } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import { toast } from '../../../shared/toast.ts';
import { type UserSession, useEndSession } from '../api/sessions.ts';

/** One signed-in browser. The one in front of the user ends by logging out. */
export const SessionRow = ({ session }: Readonly<{ session: UserSession }>) => {
  const { t } = useTranslation('personal');
  const end = useEndSession();
  const device = session.device || t('device-unknown');
  const opened = t('device-opened', { time: formatSeconds(session.opened_at) });
  const used = t('device-used', { time: formatSeconds(session.last_used_at) });
  return (
    <li aria-label={device}>
      <div className="device">
        <div className="device-name">
          <span>{device}</span>
          {session.current && (
            <Tag minimal intent="success">
              {t('device-current')}
            </Tag>
          )}
        </div>
        <div className="device-facts" title={opened}>
          <span>{session.address}</span>
          <span>{used}</span>
        </div>
      </div>
      {!session.current && (
        <ConfirmPopover
          title={t('device-end-question', { device })}
          hint={t('device-end-hint')}
          onConfirm={() =>
            end.mutate(session.id, { onSuccess: () => toast('success', t('device-ended')) })
          }
        >
          <Button size="small" variant="minimal" text={t('device-end')} loading={end.isPending} />
        </ConfirmPopover>
      )}
    </li>
  );
};
