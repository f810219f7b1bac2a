import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { roles } from '../../../../projections/contract/codes.ts';
import type { UserRow } from '../../../../projections/contract/user.ts';
import { Avatar } from '../../../shared/components/avatar.tsx';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatQuota, formatUnits } from '../../../shared/format/quota.ts';
import { paths } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';

const RoleTag = ({ role }: Readonly<{ role: number }>) => {
  const { t } = useTranslation('personal');
  if (role >= roles.root) return <ToneTag colour="red">{t('role.root')}</ToneTag>;
  if (role >= roles.admin) return <ToneTag colour="yellow">{t('role.admin')}</ToneTag>;
  return <ToneTag colour="blue">{t('role.user')}</ToneTag>;
};

export const AccountCard = ({ user }: Readonly<{ user: UserRow }>) => {
  const { t } = useTranslation('personal');
  const display = useQuotaDisplay();
  return (
    <section className="panel">
      <div className="panel-body account-head">
        <Avatar name={user.username} isLarge />
        <div>
          <h2>{user.display_name || user.username}</h2>
          <span className="tag-row">
            <RoleTag role={user.role} />
            <ToneTag colour="green">{t('id', { id: user.id })}</ToneTag>
            <GroupTags groups={user.group} />
          </span>
        </div>
        <Link className="bp6-button account-ledger" to={paths.ledger}>
          {t('open-ledger')}
        </Link>
      </div>
      <dl className="stats account-stats">
        <div className="stat">
          <dt>{t('balance')}</dt>
          <dd>
            {formatQuota(user.quota, display)}
            <small>{t('units', { count: user.quota, units: formatUnits(user.quota) })}</small>
          </dd>
        </div>
        <div className="stat">
          <dt>{t('used')}</dt>
          <dd>
            {formatQuota(user.used_quota, display)}
            <small>
              {t('units', { count: user.used_quota, units: formatUnits(user.used_quota) })}
            </small>
          </dd>
        </div>
        <div className="stat">
          <dt>{t('requests')}</dt>
          <dd>{formatUnits(user.request_count)}</dd>
        </div>
      </dl>
    </section>
  );
};
