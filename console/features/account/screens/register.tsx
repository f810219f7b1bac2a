import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { characterCount, passwordLength } from '../../../../command-api/contract/limits.ts';
import { Field } from '../../../shared/components/field.tsx';
import { SignForm } from '../../../shared/components/sign-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { EmailFields } from '../../../shared/login/email-fields.tsx';
import { useHumanCheck } from '../../../shared/login/human-check.tsx';
import { paths } from '../../../shared/paths.ts';
import { emailAt, emailCodeAt, newPasswordAt, userNameAt } from '../../../shared/refusals.ts';
import { useStatus } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { type Registration, useRegister } from '../api/sign-in.ts';
import { useReferral } from '../components/keep-referral.ts';
import { PasswordInput } from '../components/password-input.tsx';
import { ThirdParty } from '../components/third-party.tsx';

const blank: Registration = {
  username: '',
  password: '',
  password2: '',
  email: '',
  verification_code: '',
  aff_code: '',
};

const problemOf = ({ username, password, password2 }: Registration) => {
  if (username.trim() === '') return ['username', 'login-missing'] as const;
  if (password === '') return ['password', 'login-missing'] as const;
  if (characterCount(password) < passwordLength.min) return ['password', 'password-short'] as const;
  return password === password2 ? null : (['password2', 'passwords-differ'] as const);
};

/** Which field a refusal is about. */
const fieldOf = {
  ...userNameAt('username'),
  ...newPasswordAt('password'),
  'user.password-mismatch': 'password2',
  ...emailAt('email'),
  ...emailCodeAt('code'),
};

export const Register = () => {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const status = useStatus();
  const humanCheck = useHumanCheck();
  const register = useRegister(humanCheck.token);
  const referral = useReferral();
  const [form, setForm] = useState(blank);
  const { problem, report } = useFormProblem(form);
  const showRefusal = useRefusals(report, fieldOf);
  const change = (changes: Partial<Registration>) => setForm({ ...form, ...changes });

  const submit = () => {
    const wrong = problemOf(form);
    if (wrong !== null) return report(wrong[0], t(wrong[1]));
    if (humanCheck.isPending()) return;
    register.mutate(
      { ...form, username: form.username.trim(), aff_code: referral },
      {
        onError: (error) => {
          humanCheck.renew();
          showRefusal(error);
        },
        onSuccess: () => {
          toast('success', t('register-done'));
          void navigate(paths.login);
        },
      },
    );
  };

  const passwordField = (name: 'password' | 'password2') => (
    <Field label={t(name)} name={name}>
      {(id) => (
        <PasswordInput
          id={id}
          autoComplete="new-password"
          value={form[name]}
          {...(name === 'password' && { placeholder: t('password-hint') })}
          onChange={(value) => change({ [name]: value })}
        />
      )}
    </Field>
  );

  return (
    <SignForm
      title={t('register-title')}
      lead={t('register-lead')}
      submitText={t('register')}
      isSending={register.isPending}
      problem={problem}
      onSubmit={submit}
      footer={
        <>
          <div className="sign-links">
            <Link to={paths.login}>{t('to-login')}</Link>
          </div>
          <ThirdParty />
        </>
      }
      below={humanCheck.widget}
    >
      <Field label={t('username')} name="username">
        {(id) => (
          <InputGroup
            id={id}
            size="large"
            autoFocus
            autoComplete="username"
            value={form.username}
            onValueChange={(username) => change({ username })}
          />
        )}
      </Field>
      {passwordField('password')}
      {passwordField('password2')}
      {status.email_verification && (
        <EmailFields
          email={form.email}
          code={form.verification_code}
          onEmail={(email) => change({ email })}
          onCode={(verification_code) => change({ verification_code })}
          humanCheck={humanCheck}
          onProblem={report}
        />
      )}
    </SignForm>
  );
};
