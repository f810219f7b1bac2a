import { AnchorButton, Callout, Spinner } from '@blueprintjs/core';
import { Chat as ChatIcon, Share } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { chatLink, chatSites, isSafeLink, isWebAddress } from '../../../shared/chat-link.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { useStatus } from '../../../shared/status.ts';
import { useKeyOrLeave } from './use-key-or-leave.ts';

/** A site that has not loaded by then will not, or refuses to be in a frame. */
const patienceMs = 8000;

const Jump = ({ link }: Readonly<{ link: string }>) => {
  const { t } = useTranslation('chat');
  return (
    <AnchorButton
      icon={<Share />}
      text={t('jump')}
      href={link}
      target="_blank"
      rel="noopener noreferrer"
    />
  );
};

const Frame = ({ link, name }: Readonly<{ link: string; name: string }>) => {
  const { t } = useTranslation('chat');
  const [state, setState] = useState<'waiting' | 'shown' | 'silent'>('waiting');
  useEffect(() => {
    const wait = setTimeout(
      () => setState((now) => (now === 'shown' ? now : 'silent')),
      patienceMs,
    );
    return () => clearTimeout(wait);
  }, []);
  return (
    <div className="chat-frame">
      {state !== 'shown' && (
        <Callout intent="warning" compact>
          <span>{state === 'waiting' ? t('opening') : t('silent')}</span>
          {state === 'silent' && <Jump link={link} />}
        </Callout>
      )}
      <iframe
        src={link}
        title={name}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
        allow="camera; microphone; clipboard-write"
        onLoad={() => setState('shown')}
      />
      {state === 'shown' && (
        // A browser reports its own error page as loaded too, so the way out stays in reach.
        <div className="chat-way-out">
          <Jump link={link} />
        </div>
      )}
    </div>
  );
};

/** A chat site that the operator configured, with a key of the user, inside our page. */
export const Chat = () => {
  const { t } = useTranslation('chat');
  const { chatId } = useParams();
  const { chats, server_address } = useStatus();
  const key = useKeyOrLeave();
  const sites = chatSites(chats);
  const site = sites[Number(chatId ?? 0)] ?? sites[0];
  if (site === undefined) {
    return <EmptyState icon={<ChatIcon size={36} />} title={t('none')} hint={t('none-hint')} />;
  }
  if (key.isError) return <LoadFailed error={key.error} onRetry={() => void key.refetch()} />;
  if (key.isPending) return <Spinner className="page-spinner" aria-label={t('opening')} />;
  if (key.data === null) {
    return <EmptyState icon={<ChatIcon size={36} />} title={t('no-key')} />;
  }
  const link = chatLink(site.template, key.data, server_address);
  if (isWebAddress(link)) return <Frame key={link} link={link} name={site.name} />;
  return (
    <EmptyState
      icon={<Share size={36} />}
      title={site.name}
      hint={isSafeLink(link) ? t('program') : t('bad-link')}
      action={isSafeLink(link) ? <Jump link={link} /> : undefined}
    />
  );
};
