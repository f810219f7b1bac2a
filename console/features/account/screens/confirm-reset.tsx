import { Callout, InputGroup } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { useCopy } from '../../../shared/clipboard.ts';
import { Field } from '../../../shared/components/field.tsx';
import { SignForm } from '../../../shared/components/sign-form.tsx';
import { useCountdown } from '../../../shared/hooks/use-countdown.ts';
import { paths } from '../../../shared/paths.ts';
import { useConfirmReset } from '../api/reset.ts';

const againAfterSeconds = 30;

/** Where the link in the mail leads: a click makes a new password and shows it once. */
export const ConfirmReset = () => {
  const { t } = useTranslation('account');
  const copy = useCopy();
  const [params] = useSearchParams();
  const email = params.get('email') ?? '';
  const token = params.get('token') ?? '';
  const isWhole = email !== '' && token !== '';
  const confirm = useConfirmReset();
  const [seconds, startCountdown] = useCountdown(againAfterSeconds);
  const password = confirm.data;
  const copied = (text: string) => copy(text, t('reset-copied', { password: text }));

  const submit = () => {
    startCountdown();
    confirm.mutate({ email, token }, { onSuccess: (made) => void copied(made) });
  };
  const text = () => {
    if (password !== undefined) return t('reset-done');
    return seconds > 0 ? t('retry-in', { seconds }) : t('reset-submit');
  };
  return (
    <SignForm
      title={t('confirm-title')}
      lead={t('confirm-lead')}
      submitText={text()}
      isSending={confirm.isPending}
      isDisabled={!isWhole || seconds > 0 || password !== undefined}
      onSubmit={submit}
      footer={
        <div className="sign-links">
          <Link to={paths.login}>{t('back-to-login')}</Link>
        </div>
      }
    >
      {!isWhole && <Callout intent="danger">{t('link-broken')}</Callout>}
      <Field label={t('reset-email')}>
        {(id) => <InputGroup id={id} size="large" readOnly value={email} />}
      </Field>
      {password !== undefined && (
        <Field label={t('new-password')} hint={t('new-password-hint')}>
          {(id) => (
            <InputGroup
              id={id}
              size="large"
              readOnly
              className="mono"
              value={password}
              onClick={(event) => {
                event.currentTarget.select();
                void copied(password);
              }}
            />
          )}
        </Field>
      )}
    </SignForm>
  );
};
