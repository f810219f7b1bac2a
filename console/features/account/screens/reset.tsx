import { Button, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Field } from '../../../shared/components/field.tsx';
import { useCountdown } from '../../../shared/hooks/use-countdown.ts';
import { useHumanCheck } from '../../../shared/login/human-check.tsx';
import { paths } from '../../../shared/paths.ts';
import { toast } from '../../../shared/toast.ts';
import { useSendResetLink } from '../api/reset.ts';

const againAfterSeconds = 30;

/** A person who forgot the password asks for a link by mail. */
export const Reset = () => {
  const { t } = useTranslation('account');
  const humanCheck = useHumanCheck();
  const send = useSendResetLink(humanCheck.token);
  const [email, setEmail] = useState('');
  const [seconds, startCountdown] = useCountdown(againAfterSeconds);
  const submit = () => {
    if (email.trim() === '') return toast('error', t('email-missing'));
    if (humanCheck.isPending()) return;
    startCountdown();
    const done = () => {
      toast('success', t('reset-sent'));
      setEmail('');
    };
    send.mutate(email.trim(), { onError: humanCheck.renew, onSuccess: done });
  };
  return (
    <div className="sign-card">
      <form
        className="panel panel-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h1>{t('reset-title')}</h1>
        <p className="lead">{t('reset-lead')}</p>
        <Field label={t('reset-email')}>
          {(id) => (
            <InputGroup
              id={id}
              size="large"
              type="email"
              autoFocus
              autoComplete="email"
              value={email}
              onValueChange={setEmail}
            />
          )}
        </Field>
        <Button
          type="submit"
          intent="primary"
          size="large"
          fill
          disabled={seconds > 0}
          loading={send.isPending}
          text={seconds > 0 ? t('retry-in', { seconds }) : t('reset-submit')}
        />
        <div className="sign-links">
          <Link to={paths.login}>{t('to-login')}</Link>
        </div>
      </form>
      {humanCheck.widget}
    </div>
  );
};
