import { InputGroup } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { Field } from '../../../shared/components/field.tsx';
import { Question } from '../../../shared/components/question.tsx';
import { SignForm } from '../../../shared/components/sign-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { useHumanCheck } from '../../../shared/login/human-check.tsx';
import { paths } from '../../../shared/paths.ts';
import { isFactorQuestion } from '../../../shared/second-factor/api.ts';
import { useStatus } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { useLogin } from '../api/sign-in.ts';
import { useReferral } from '../components/keep-referral.ts';
import { PasswordInput } from '../components/password-input.tsx';
import { SecondStep } from '../components/second-step.tsx';
import { ThirdParty } from '../components/third-party.tsx';

/** Shown once, even though React mounts twice in development. */
const useExpiredNotice = () => {
  const { t } = useTranslation('account');
  const [params, setParams] = useSearchParams();
  const isExpired = params.get('expired') === 'true';
  const wasShown = useRef(false);
  useEffect(() => {
    if (!isExpired || wasShown.current) return;
    wasShown.current = true;
    toast('error', t('expired'));
    setParams({}, { replace: true });
  }, [isExpired, setParams, t]);
};

const isDefaultPassword = (username: string, password: string) =>
  username === 'root' && password === '123456';

const PasswordStep = () => {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const status = useStatus();
  const humanCheck = useHumanCheck();
  const login = useLogin(humanCheck.token);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { problem, report } = useFormProblem({ username, password });
  const showRefusal = useRefusals(report, {
    'auth.wrong-credentials': 'password',
    'user.banned': 'username',
  });
  const [isWarned, setWarned] = useState(false);
  useExpiredNotice();
  useReferral();

  const submit = () => {
    if (humanCheck.isPending()) return;
    if (username.trim() === '') return report('username', t('login-missing'));
    if (password === '') return report('password', t('login-missing'));
    login.mutate(
      { username: username.trim(), password },
      {
        onError: (error) => {
          humanCheck.renew();
          showRefusal(error);
        },
        onSuccess: (answer) => {
          if ('second_factor' in answer) {
            void navigate(paths.login, { state: { question: answer.second_factor } });
            return;
          }
          toast('success', t('login-done'));
          if (isDefaultPassword(username, password)) setWarned(true);
          else void navigate(paths.token);
        },
      },
    );
  };

  return (
    <SignForm
      title={t('login-title')}
      lead={t('login-lead')}
      submitText={t('login')}
      isSending={login.isPending}
      problem={problem}
      onSubmit={submit}
      footer={
        <>
          <div className="sign-links">
            {!status.self_use_mode_enabled && <Link to={paths.register}>{t('to-register')}</Link>}
            <Link to={paths.reset}>{t('to-reset')}</Link>
          </div>
          <ThirdParty />
        </>
      }
      below={
        <>
          {humanCheck.widget}
          <Question
            isOpen={isWarned}
            title={t('default-password')}
            hint={t('default-password-text')}
            intent="warning"
            confirmText={t('understood')}
            onConfirm={() => void navigate(paths.personal)}
          />
        </>
      }
    >
      <Field label={t('username-or-email')} name="username">
        {(id) => (
          <InputGroup
            id={id}
            size="large"
            autoFocus
            autoComplete="username"
            value={username}
            onValueChange={setUsername}
          />
        )}
      </Field>
      <Field label={t('password')} name="password">
        {(id) => (
          <PasswordInput
            id={id}
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        )}
      </Field>
    </SignForm>
  );
};

/**
 * The request for a second factor is kept in the state of the page, whichever way of sign-in caused
 * it.
 */
export const Login = () => {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const { state } = useLocation();
  const question: unknown = state?.question;
  if (!isFactorQuestion(question)) return <PasswordStep />;
  return (
    <SecondStep
      question={question}
      onBack={() => void navigate(paths.login, { replace: true, state: null })}
      onDone={() => {
        toast('success', t('login-done'));
        void navigate(paths.token, { replace: true, state: null });
      }}
    />
  );
};
