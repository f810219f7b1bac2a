import { Button, InputGroup } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { toast } from '../../../shared/toast.ts';
import { useSendCode } from '../api/sign-in.ts';

type Props = Readonly<{
  email: string;
  code: string;
  onEmail: (email: string) => void;
  onCode: (code: string) => void;
}>;

const resendAfterSeconds = 30;

const useCountdown = (): readonly [number, () => void] => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return [seconds, () => setSeconds(resendAfterSeconds)];
};

export const EmailFields = ({ email, code, onEmail, onCode }: Props) => {
  const { t } = useTranslation('account');
  const [seconds, startCountdown] = useCountdown();
  const sendCode = useSendCode();
  const request = () => {
    if (email.trim() === '') {
      toast('error', t('email-missing'));
      return;
    }
    sendCode.mutate(email.trim(), {
      onSuccess: () => {
        toast('success', t('code-sent'));
        startCountdown();
      },
    });
  };
  return (
    <>
      <Field label={t('email')}>
        {(id) => (
          <div className="code-row">
            <InputGroup
              id={id}
              size="large"
              type="email"
              autoComplete="email"
              value={email}
              onValueChange={onEmail}
            />
            <Button
              size="large"
              text={seconds > 0 ? t('resend', { seconds }) : t('send-code')}
              disabled={seconds > 0}
              loading={sendCode.isPending}
              onClick={request}
            />
          </div>
        )}
      </Field>
      <Field label={t('code')}>
        {(id) => (
          <InputGroup
            id={id}
            size="large"
            autoComplete="one-time-code"
            value={code}
            onValueChange={onCode}
          />
        )}
      </Field>
    </>
  );
};
