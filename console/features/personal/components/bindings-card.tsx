import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserRow } from '../../../../projections/contract/user.ts';
import { useBeginLogin } from '../../../shared/login/api.ts';
import { loginProviders } from '../../../shared/login/login-providers.ts';
import { TelegramWidget } from '../../../shared/login/telegram-widget.tsx';
import { WeChatDialog } from '../../../shared/login/wechat-dialog.tsx';
import { useStatus } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { useBindTelegram, useBindWeChat } from '../api/bindings.ts';
import { BindingRow, OffButton, UnbindButton } from './binding-row.tsx';
import { boundTo } from './bindings.ts';
import { EmailDialog } from './email-dialog.tsx';

type Props = Readonly<{ user: UserRow }>;

const EmailRow = ({ user }: Props) => {
  const { t } = useTranslation('personal');
  const [isOpen, setOpen] = useState(false);
  return (
    <BindingRow name={t('binding.email')} value={user.email}>
      <Button
        size="small"
        text={t(user.email === '' ? 'bind-email' : 'rebind')}
        onClick={() => setOpen(true)}
      />
      {isOpen && <EmailDialog onClose={() => setOpen(false)} />}
    </BindingRow>
  );
};

/** The WeChat server's id of a user means nothing to them. */
const WeChatRow = ({ user }: Props) => {
  const { t } = useTranslation('personal');
  const { wechat_login } = useStatus();
  const bind = useBindWeChat();
  const [isOpen, setOpen] = useState(false);
  const isBound = user.wechat_id !== '';
  const send = (code: string) =>
    bind.mutate(code, {
      onSuccess: () => {
        toast('success', t('wechat-done'));
        setOpen(false);
      },
    });
  return (
    <BindingRow name={t('binding.wechat')} value={isBound ? t('binding-done') : ''}>
      {isBound && <UnbindButton provider="wechat" name={t('binding.wechat')} />}
      {wechat_login ? (
        <Button size="small" text={t(isBound ? 'rebind' : 'bind')} onClick={() => setOpen(true)} />
      ) : (
        !isBound && <OffButton />
      )}
      <WeChatDialog
        purpose="bind"
        isOpen={isOpen}
        isBusy={bind.isPending}
        onCode={send}
        onClose={() => setOpen(false)}
      />
    </BindingRow>
  );
};

const TelegramRow = ({ user }: Props) => {
  const { t } = useTranslation('personal');
  const { telegram_oauth } = useStatus();
  const bind = useBindTelegram();
  const done = () => toast('success', t('telegram-done'));
  const name = 'Telegram';
  if (user.telegram_id !== '') {
    return (
      <BindingRow name={name} value={user.telegram_id}>
        <UnbindButton provider="telegram" name={name} />
      </BindingRow>
    );
  }
  return (
    <BindingRow name={name} value="">
      {telegram_oauth ? (
        <TelegramWidget onUser={(given) => bind.mutate(given, { onSuccess: done })} />
      ) : (
        <OffButton />
      )}
    </BindingRow>
  );
};

const OAuthRows = ({ user }: Props) => {
  const { t } = useTranslation('personal');
  const status = useStatus();
  const begin = useBeginLogin();
  return loginProviders.map(({ provider, name, flag }) => {
    const value = boundTo(user, provider);
    return (
      <BindingRow key={provider} name={name} value={value}>
        {value !== '' && <UnbindButton provider={provider} name={name} />}
        {value === '' && status[flag] && (
          <Button
            size="small"
            text={t('bind')}
            loading={begin.isPending && begin.variables === provider}
            onClick={() => begin.mutate(provider)}
          />
        )}
        {value === '' && !status[flag] && <OffButton />}
      </BindingRow>
    );
  });
};

/** Every account that may sign the user in. */
export const BindingsCard = ({ user }: Props) => {
  const { t } = useTranslation('personal');
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('bindings-title')}</h2>
      <p className="panel-lead">{t('bindings-lead')}</p>
      <ul className="bindings" aria-label={t('bindings-title')}>
        <EmailRow user={user} />
        <WeChatRow user={user} />
        <OAuthRows user={user} />
        <TelegramRow user={user} />
      </ul>
    </section>
  );
};
