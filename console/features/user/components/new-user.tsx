import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { characterCount, passwordLength } from '../../../../command-api/contract/limits.ts';
import { SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { toast } from '../../../shared/toast.ts';
import { useCreateUser } from '../api/users.ts';
import { userRefusals } from './refused-fields.ts';
import { TextField } from './text-field.tsx';

export const NewUser = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const { t } = useTranslation(['user', 'common']);
  const [form, setForm] = useState({ username: '', display_name: '', password: '' });
  const create = useCreateUser();
  const { problem, report } = useFormProblem(form);
  const showRefusal = useRefusals(report, userRefusals);
  const submit = () => {
    const username = form.username.trim();
    if (username === '' || form.password === '') {
      return report(username === '' ? 'username' : 'password', t('name-or-password'));
    }
    if (characterCount(form.password) < passwordLength.min) {
      return report('password', t('password-short'));
    }
    const done = () => {
      toast('success', t('created-done'));
      onClose();
    };
    create.mutate({ ...form, username }, { onError: showRefusal, onSuccess: done });
  };
  const field = (name: keyof typeof form, label: string, maxLength: number) => (
    <TextField
      label={label}
      name={name}
      value={form[name]}
      isSecret={name === 'password'}
      maxLength={maxLength}
      onChange={(text) => setForm({ ...form, [name]: text })}
    />
  );
  return (
    <SideDrawer
      title={t('create-title')}
      isOpen
      side="left"
      isSaving={create.isPending}
      submitText={t('common:submit')}
      draft={form}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      {field('username', t('column.name'), 12)}
      {field('display_name', t('display-name'), 20)}
      {field('password', t('password'), 128)}
    </SideDrawer>
  );
};
