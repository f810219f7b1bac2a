import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Field } from '../../../shared/components/field.tsx';
import { SignForm } from '../../../shared/components/sign-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { useCountdown } from '../../../shared/hooks/use-countdown.ts';
import { useHumanCheck } from '../../../shared/login/human-check.tsx';
import { paths } from '../../../shared/paths.ts';
import { emailAt } from '../../../shared/refusals.ts';
import { toast } from '../../../shared/toast.ts';
import { useSendResetLink } from '../api/reset.ts';

const againAfterSeconds = 30;
const fieldOf = emailAt('email');

/** A user who forgot the password requests a link by mail. */
export const Reset = () => {
  const { t } = useTranslation('account');
  const humanCheck = useHumanCheck();
  const send = useSendResetLink(humanCheck.token);
  const [email, setEmail] = useState('');
  const { problem, report } = useFormProblem(email);
  const showRefusal = useRefusals(report, fieldOf);
  const [seconds, startCountdown] = useCountdown(againAfterSeconds);
  const submit = () => {
    if (email.trim() === '') return report('email', t('email-missing'));
    if (humanCheck.isPending()) return;
    startCountdown();
    const done = () => {
      toast('success', t('reset-sent'));
      setEmail('');
    };
    const failed = (error: unknown) => {
      humanCheck.renew();
      showRefusal(error);
    };
    send.mutate(email.trim(), { onError: failed, onSuccess: done });
  };
  return (
    <SignForm
      title={t('reset-title')}
      lead={t('reset-lead')}
      submitText={seconds > 0 ? t('retry-in', { seconds }) : t('reset-submit')}
      isSending={send.isPending}
      problem={problem}
      isDisabled={seconds > 0}
      onSubmit={submit}
      footer={
        <div className="sign-links">
          <Link to={paths.login}>{t('to-login')}</Link>
        </div>
      }
      below={humanCheck.widget}
    >
      <Field label={t('reset-email')} name="email">
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
    </SignForm>
  );
};
