import { Button, ButtonGroup, MenuItem, PopoverNext } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { type ChatSite, chatLink, chatSites, isSafeLink } from '../../../shared/chat-link.ts';
import { ActionMenu } from '../../../shared/components/action-menu.tsx';
import { useStatus } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import type { TokenRow } from '../api/tokens.ts';

/** Opens a chat site with the key of this token; the arrow lists all sites. */
export const ChatButton = ({ token }: Readonly<{ token: TokenRow }>) => {
  const { t } = useTranslation('token');
  const { chats, server_address } = useStatus();
  const sites = chatSites(chats);
  const open = (site: ChatSite | undefined) => {
    if (site === undefined) return toast('error', t('chat-none'));
    const link = chatLink(site.template, token.key, server_address);
    if (!isSafeLink(link)) return toast('error', t('chat-broken'));
    window.open(link, '_blank', 'noopener,noreferrer');
  };
  return (
    <ButtonGroup>
      <Button size="small" text={t('chat')} onClick={() => open(sites[0])} />
      {sites.length > 0 && (
        <PopoverNext
          placement="bottom-end"
          arrow={false}
          animation="minimal"
          content={
            <ActionMenu>
              {sites.map((site) => (
                <MenuItem key={site.name} text={site.name} onClick={() => open(site)} />
              ))}
            </ActionMenu>
          }
        >
          <Button size="small" icon={<CaretDown />} aria-label={t('chat-choose')} />
        </PopoverNext>
      )}
    </ButtonGroup>
  );
};
