import { AnchorButton, Spinner } from '@blueprintjs/core';
import { Chat as ChatIcon, Share } from '@blueprintjs/icons';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import {
  chatLink,
  chatSites,
  isSafeLink,
  isWebAddress,
  legacyChatLink,
} from '../../../shared/chat-link.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { leaveFor } from '../../../shared/leave.ts';
import { readLocal } from '../../../shared/local-values.ts';
import { useStatus } from '../../../shared/status.ts';
import { useKeyOrLeave } from './use-key-or-leave.ts';

/** Redirects to the chat site at once, with a key of the user. */
export const ChatRedirect = () => {
  const { t } = useTranslation('chat');
  const { chats, server_address } = useStatus();
  const key = useKeyOrLeave();
  const legacy = readLocal('chat_link');
  const [site] = chatSites(chats);
  const link = (() => {
    if (typeof key.data !== 'string') return null;
    if (legacy) return legacyChatLink(legacy, key.data, server_address);
    return site ? chatLink(site.template, key.data, server_address) : null;
  })();
  useEffect(() => {
    if (link !== null) leaveFor(link);
  }, [link]);

  if (key.isError) return <LoadFailed error={key.error} onRetry={() => void key.refetch()} />;
  if (!legacy && site === undefined) {
    return <EmptyState icon={<ChatIcon size={36} />} title={t('none')} hint={t('none-hint')} />;
  }
  if (link !== null && !isWebAddress(link)) {
    return (
      <EmptyState
        icon={<Share size={36} />}
        title={site?.name ?? ''}
        hint={isSafeLink(link) ? t('program') : t('bad-link')}
        action={isSafeLink(link) ? <AnchorButton text={t('jump')} href={link} /> : undefined}
      />
    );
  }
  return (
    <div className="page-spinner" role="status">
      <Spinner />
      <p>{t('redirecting')}</p>
    </div>
  );
};
