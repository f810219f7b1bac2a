import { Button } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { loginByTelegram, loginByWeChat, useBeginLogin } from '../../../shared/login/api.ts';
import { hasThirdParty, loginProviders } from '../../../shared/login/login-providers.ts';
import { WeChatIcon } from '../../../shared/login/provider-icons.tsx';
import { TelegramWidget } from '../../../shared/login/telegram-widget.tsx';
import { WeChatDialog } from '../../../shared/login/wechat-dialog.tsx';
import { paths } from '../../../shared/paths.ts';
import type { SignInAnswer } from '../../../shared/second-factor/api.ts';
import { storeUser } from '../../../shared/session.ts';
import { useStatus } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';

/** Other ways in, for signing in and signing up alike; nothing when the operator offers none. */
export const ThirdParty = () => {
  const { t } = useTranslation('login');
  const navigate = useNavigate();
  const status = useStatus();
  const begin = useBeginLogin();
  const [isScanning, setScanning] = useState(false);
  const entered = (answer: SignInAnswer) => {
    if ('second_factor' in answer) {
      void navigate(paths.login, { state: { question: answer.second_factor } });
      return;
    }
    storeUser(answer);
    toast('success', t('signed-in'));
    void navigate(paths.token);
  };
  const byWeChat = useMutation({ mutationFn: loginByWeChat, onSuccess: entered });
  const byTelegram = useMutation({ mutationFn: loginByTelegram, onSuccess: entered });
  if (!hasThirdParty(status)) return null;

  return (
    <section className="third-party" aria-label={t('third-party')}>
      <p className="third-party-title">
        <span>{t('third-party')}</span>
      </p>
      <div className="third-party-buttons">
        {loginProviders
          .filter(({ flag }) => status[flag])
          .map(({ provider, name, Icon }) => (
            <Button
              key={provider}
              icon={<Icon />}
              text={name}
              aria-label={t('sign-in-by', { name })}
              loading={begin.isPending && begin.variables === provider}
              onClick={() => begin.mutate(provider)}
            />
          ))}
        {status.wechat_login && (
          <Button
            icon={<WeChatIcon />}
            text={t('wechat')}
            aria-label={t('sign-in-by', { name: t('wechat') })}
            onClick={() => setScanning(true)}
          />
        )}
      </div>
      {status.telegram_oauth && <TelegramWidget onUser={(user) => byTelegram.mutate(user)} />}
      <WeChatDialog
        purpose="login"
        isOpen={isScanning}
        isBusy={byWeChat.isPending}
        onCode={(code) => byWeChat.mutate(code)}
        onClose={() => setScanning(false)}
      />
    </section>
  );
};
