import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { characterCount, passwordLength } from '../../../../command-api/contract/limits.ts';
import { Field } from '../../../shared/components/field.tsx';
import { SignForm } from '../../../shared/components/sign-form.tsx';
import { EmailFields } from '../../../shared/login/email-fields.tsx';
import { useHumanCheck } from '../../../shared/login/human-check.tsx';
import { paths } from '../../../shared/paths.ts';
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
  if (username.trim() === '' || password === '') return 'login-missing';
  if (characterCount(password) < passwordLength.min) return 'password-short';
  return password === password2 ? null : 'passwords-differ';
};

export const Register = () => {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const status = useStatus();
  const humanCheck = useHumanCheck();
  const register = useRegister(humanCheck.token);
  const referral = useReferral();
  const [form, setForm] = useState(blank);
  const change = (changes: Partial<Registration>) => setForm({ ...form, ...changes });

  const submit = () => {
    const problem = problemOf(form);
    if (problem !== null) {
      toast('error', t(problem));
      return;
    }
    if (humanCheck.isPending()) return;
    register.mutate(
      { ...form, username: form.username.trim(), aff_code: referral },
      {
        onError: humanCheck.renew,
        onSuccess: () => {
          toast('success', t('register-done'));
          void navigate(paths.login);
        },
      },
    );
  };

  const passwordField = (name: 'password' | 'password2') => (
    <Field label={t(name)}>
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
      <Field label={t('username')}>
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
        />
      )}
    </SignForm>
  );
};
