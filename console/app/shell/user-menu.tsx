import { Button, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core';
import { CaretDown, Cog, EyeOpen, LogOut } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { call } from '../../shared/api/client.ts';
import { ActionMenu } from '../../shared/components/action-menu.tsx';
import { Avatar } from '../../shared/components/avatar.tsx';
import { paths } from '../../shared/paths.ts';
import { clearUser, type StoredUser } from '../../shared/session.ts';
import { toast } from '../../shared/toast.ts';

export const UserMenu = ({ user }: Readonly<{ user: StoredUser }>) => {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  const logout = async () => {
    // The browser drops the user even when the server cannot be reached.
    await call('GET /api/user/logout').catch(() => undefined);
    clearUser();
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'site' });
    toast('success', t('logged-out'));
    await navigate(paths.login);
  };

  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      content={
        <ActionMenu>
          <MenuDivider title={user.display_name || user.username} />
          <MenuItem
            icon={<Cog />}
            text={t('nav.personal')}
            onClick={() => void navigate(paths.personal)}
          />
          <MenuItem
            icon={<EyeOpen />}
            text={t('nav.audit')}
            onClick={() => void navigate(paths.audit)}
          />
          <MenuItem icon={<LogOut />} text={t('log-out')} onClick={() => void logout()} />
        </ActionMenu>
      }
    >
      <Button
        variant="minimal"
        className="user-menu"
        aria-label={t('user-menu', { name: user.username })}
        icon={<Avatar name={user.username} />}
        endIcon={<CaretDown />}
      >
        <span className="only-wide">{user.username}</span>
      </Button>
    </PopoverNext>
  );
};
