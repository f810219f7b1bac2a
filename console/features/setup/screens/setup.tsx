import { Button, Callout, Dialog, DialogBody, InputGroup } from '@blueprintjs/core';
import { Help } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router-dom';
import { characterCount, passwordLength } from '../../../../command-api/contract/limits.ts';
import { Facts } from '../../../shared/components/facts.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { SignForm } from '../../../shared/components/sign-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { paths } from '../../../shared/paths.ts';
import { newPasswordAt, userNameAt } from '../../../shared/refusals.ts';
import { statusQuery } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { useInitialise, useSetupStatus } from '../api/setup.ts';

const modes = ['external', 'self', 'demo'] as const;
type Mode = (typeof modes)[number];
type Account = Readonly<{ username: string; password: string; confirmPassword: string }>;
const blank: Account = { username: '', password: '', confirmPassword: '' };

const accountProblem = ({ username, password, confirmPassword }: Account) => {
  if (username.trim() === '') return ['username', 'username-missing'] as const;
  if (characterCount(password) < passwordLength.min) return ['password', 'password-short'] as const;
  return password === confirmPassword ? null : (['confirmPassword', 'passwords-differ'] as const);
};

/** Which field a refusal is about. */
const fieldOf = {
  'setup.username-required': 'username',
  'setup.username-invalid': 'username',
  ...userNameAt('username'),
  ...newPasswordAt('password'),
  'user.password-mismatch': 'confirmPassword',
};

const ModeHelp = ({ isOpen, onClose }: Readonly<{ isOpen: boolean; onClose: () => void }>) => {
  const { t } = useTranslation('setup');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('mode-help')} className="tg-dialog">
      <DialogBody>
        <Facts facts={modes.map((mode) => [t(`mode.${mode}`), t(`mode.${mode}-long`)])} />
      </DialogBody>
    </Dialog>
  );
};

export const Setup = () => {
  const { t } = useTranslation('setup');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const state = useSetupStatus();
  const initialise = useInitialise();
  const [account, setAccount] = useState<Account>(blank);
  const { problem, report } = useFormProblem(account);
  const showRefusal = useRefusals(report, fieldOf);
  const [mode, setMode] = useState<Mode>('external');
  const [isHelpOpen, setHelpOpen] = useState(false);
  if (state.isError) return <LoadFailed error={state.error} onRetry={() => void state.refetch()} />;
  if (state.data?.status) return <Navigate to={paths.home} replace />;
  const needsAccount = state.data?.root_init !== true;

  const submit = () => {
    const wrong = needsAccount ? accountProblem(account) : null;
    if (wrong !== null) return report(wrong[0], t(wrong[1]));
    initialise.mutate(
      { ...account, SelfUseModeEnabled: mode === 'self', DemoSiteEnabled: mode === 'demo' },
      {
        onError: showRefusal,
        onSuccess: async () => {
          toast('success', t('done'));
          await queryClient.invalidateQueries(statusQuery);
          await navigate(paths.login, { replace: true });
        },
      },
    );
  };

  const accountField = (name: keyof Account, type: 'text' | 'password') => (
    <Field
      label={t(name)}
      name={name}
      isRequired
      {...(name === 'password' && { hint: t('password-hint') })}
    >
      {(id) => (
        <InputGroup
          id={id}
          size="large"
          type={type}
          autoComplete={type === 'password' ? 'new-password' : 'username'}
          value={account[name]}
          onValueChange={(value) => setAccount({ ...account, [name]: value })}
        />
      )}
    </Field>
  );

  return (
    <SignForm
      title={t('title')}
      lead={t('lead')}
      isWide
      submitText={t('submit')}
      isSending={initialise.isPending}
      problem={problem}
      isDisabled={state.isPending}
      onSubmit={submit}
      below={<ModeHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />}
    >
      {state.data?.database_type === 'sqlite' && (
        <Callout intent="warning" title={t('sqlite')}>
          {t('sqlite-text')}
        </Callout>
      )}
      {needsAccount ? (
        <>
          {accountField('username', 'text')}
          <div className="field-pair">
            {accountField('password', 'password')}
            {accountField('confirmPassword', 'password')}
          </div>
        </>
      ) : (
        <Callout intent="primary">{t('root-exists')}</Callout>
      )}
      <h2 className="form-section">
        {t('mode-title')}{' '}
        <Button
          variant="minimal"
          size="small"
          icon={<Help />}
          aria-label={t('mode-help')}
          onClick={() => setHelpOpen(true)}
        />
      </h2>
      <fieldset className="radio-cards" aria-label={t('mode-title')}>
        {modes.map((choice) => (
          <label key={choice} className="radio-card">
            <input
              type="radio"
              name="mode"
              checked={mode === choice}
              onChange={() => setMode(choice)}
            />
            <strong>{t(`mode.${choice}`)}</strong>
            <span>{t(`mode.${choice}-short`)}</span>
          </label>
        ))}
      </fieldset>
      <p className="panel-lead">{t('mode-later')}</p>
    </SignForm>
  );
};
