import { Dialog, DialogBody, Spinner } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { userQuery } from '../../../shared/account.ts';
import { formatQuota, formatUnits } from '../../../shared/format/quota.ts';
import { ledgerOf } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';

const UserFacts = ({ userId }: Readonly<{ userId: number }>) => {
  const { t } = useTranslation('usage-log');
  const display = useQuotaDisplay();
  const { data } = useQuery(userQuery(userId));
  if (!data) return <Spinner size={24} />;
  return (
    <>
      <dl className="facts">
        <dt>{t('user.name')}</dt>
        <dd>{data.username}</dd>
        <dt>{t('user.balance')}</dt>
        <dd>{formatQuota(data.quota, display)}</dd>
        <dt>{t('user.used')}</dt>
        <dd>{formatQuota(data.used_quota, display)}</dd>
        <dt>{t('user.requests')}</dt>
        <dd>{formatUnits(data.request_count)}</dd>
      </dl>
      <p className="dialog-link">
        <Link to={ledgerOf(userId)}>{t('user.ledger')}</Link>
      </p>
    </>
  );
};

export const UserButton = ({
  userId,
  username,
}: Readonly<{ userId: number; username: string }>) => {
  const { t } = useTranslation('usage-log');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="link-text" onClick={() => setOpen(true)}>
        {username}
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('user.title')}
        className="tg-dialog is-small"
      >
        <DialogBody>{isOpen && <UserFacts userId={userId} />}</DialogBody>
      </Dialog>
    </>
  );
};
