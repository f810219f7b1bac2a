import { Button, InputGroup } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../shared/clipboard.ts';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { useIssueAccessToken } from '../api/personal.ts';

export const AccessTokenCard = () => {
  const { t } = useTranslation('personal');
  const copy = useCopy();
  const issue = useIssueAccessToken();
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('access-token')}</h2>
      <p className="panel-lead">{t('access-token-lead')}</p>
      {issue.data && (
        <InputGroup
          className="mono issued-token"
          readOnly
          value={issue.data}
          aria-label={t('access-token')}
          onFocus={(event) => event.target.select()}
        />
      )}
      <ConfirmPopover
        title={t('access-token-question')}
        hint={t('access-token-hint')}
        onConfirm={() =>
          issue.mutate(undefined, {
            onSuccess: (token) => void copy(token, t('access-token-copied')),
          })
        }
      >
        <Button text={t('access-token-issue')} loading={issue.isPending} />
      </ConfirmPopover>
    </section>
  );
};
