import { Button, InputGroup } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { Field } from '../components/field.tsx';
import { useRefusals } from '../form-problem.ts';
import { emailAt } from '../refusals.ts';
import { toast } from '../toast.ts';
import type { HumanCheck } from './human-check.tsx';

type Props = Readonly<{
  email: string;
  code: string;
  onEmail: (email: string) => void;
  onCode: (code: string) => void;
  humanCheck: HumanCheck;
  /** Shown by the form around, at the field `email` or `code`. */
  onProblem: (field: string, message: string) => void;
}>;

const resendAfterSeconds = 30;

const addressRefusals = emailAt('email');

/** GET /api/verification: mails a code to the address. */
const useSendCode = (turnstile: string) =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (email: string) => call('GET /api/verification', { query: { email, turnstile } }),
  });

const useCountdown = (): readonly [number, () => void] => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return [seconds, () => setSeconds(resendAfterSeconds)];
};

/** An address and the code that proves who reads its mailbox. */
export const EmailFields = (props: Props) => {
  const { email, code, onEmail, onCode, humanCheck, onProblem } = props;
  const { t } = useTranslation('account');
  const showRefusal = useRefusals(onProblem, addressRefusals);
  const [seconds, startCountdown] = useCountdown();
  const sendCode = useSendCode(humanCheck.token);
  const request = () => {
    if (email.trim() === '') return onProblem('email', t('email-missing'));
    if (humanCheck.isPending()) return;
    sendCode.mutate(email.trim(), {
      onError: (error) => {
        humanCheck.renew();
        showRefusal(error);
      },
      onSuccess: () => {
        toast('success', t('code-sent'));
        startCountdown();
      },
    });
  };
  return (
    <>
      <Field label={t('email')} name="email">
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
      <Field label={t('code')} name="code">
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
