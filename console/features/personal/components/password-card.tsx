import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { newPasswordAt } from '../../../shared/refusals.ts';
import { toast } from '../../../shared/toast.ts';
import { useChangePassword } from '../api/personal.ts';

const blank = { original: '', next: '', again: '' };
type Passwords = Readonly<typeof blank>;

const problemOf = ({ original, next, again }: Passwords, isFirst: boolean) => {
  if (original === '' && !isFirst) return ['original', 'original-missing'] as const;
  if (next === '') return ['next', 'next-missing'] as const;
  if (next === original) return ['next', 'next-same'] as const;
  return next === again ? null : (['again', 'passwords-differ'] as const);
};

/** Which field a refusal is about. */
const fieldOf = { 'user.wrong-password': 'original', ...newPasswordAt('next') };

type Props = Readonly<{
  /** A person who registered by a login provider may set a first password without an old one. */
  canLackPassword: boolean;
}>;

export const PasswordCard = ({ canLackPassword }: Props) => {
  const { t } = useTranslation(['personal', 'common']);
  const [form, setForm] = useState<Passwords>(blank);
  const [hasNone, setHasNone] = useState(false);
  const { problem, report } = useFormProblem(form);
  const showRefusal = useRefusals(report, fieldOf);
  const isFirst = canLackPassword && hasNone;
  const change = useChangePassword();
  const submit = () => {
    const wrong = problemOf(form, isFirst);
    if (wrong !== null) return report(wrong[0], t(wrong[1]));
    change.mutate(
      { original_password: isFirst ? '' : form.original, password: form.next },
      {
        onError: showRefusal,
        onSuccess: () => {
          toast('success', t('password-done'));
          setForm(blank);
          setHasNone(false);
        },
      },
    );
  };
  const field = (name: keyof Passwords) => (
    <Field label={t(`password.${name}`)} name={name}>
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
      <ProblemForm problem={problem} onSubmit={submit}>
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
      </ProblemForm>
    </section>
  );
};
