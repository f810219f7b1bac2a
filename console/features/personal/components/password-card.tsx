import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { toast } from '../../../shared/toast.ts';
import { useChangePassword } from '../api/personal.ts';

const blank = { original: '', next: '', again: '' };
type Passwords = Readonly<typeof blank>;

const problemOf = ({ original, next, again }: Passwords, isFirst: boolean) => {
  if (original === '' && !isFirst) return 'original-missing';
  if (next === '') return 'next-missing';
  if (next === original) return 'next-same';
  return next === again ? null : 'passwords-differ';
};

type Props = Readonly<{
  /** Who came by a login provider may set a first password without an old one. */
  canLackPassword: boolean;
}>;

export const PasswordCard = ({ canLackPassword }: Props) => {
  const { t } = useTranslation(['personal', 'common']);
  const [form, setForm] = useState<Passwords>(blank);
  const [hasNone, setHasNone] = useState(false);
  const isFirst = canLackPassword && hasNone;
  const change = useChangePassword();
  const submit = () => {
    const problem = problemOf(form, isFirst);
    if (problem !== null) {
      toast('error', t(problem));
      return;
    }
    change.mutate(
      { original_password: isFirst ? '' : form.original, password: form.next },
      {
        onSuccess: () => {
          toast('success', t('password-done'));
          setForm(blank);
          setHasNone(false);
        },
      },
    );
  };
  const field = (name: keyof Passwords) => (
    <Field label={t(`password.${name}`)}>
      {(id) => (
        <InputGroup
          id={id}
          type="password"
          autoComplete={name === 'original' ? 'current-password' : 'new-password'}
          value={form[name]}
          onValueChange={(value) => setForm({ ...form, [name]: value })}
        />
      )}
    </Field>
  );
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('password-title')}</h2>
      <p className="panel-lead">{t('password-lead')}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {!isFirst && field('original')}
        {canLackPassword && (
          <Checkbox
            label={t('no-password')}
            checked={hasNone}
            onChange={(event) => setHasNone(event.currentTarget.checked)}
          />
        )}
        <div className="field-pair">
          {field('next')}
          {field('again')}
        </div>
        <Button type="submit" text={t('password-submit')} loading={change.isPending} />
      </form>
    </section>
  );
};
