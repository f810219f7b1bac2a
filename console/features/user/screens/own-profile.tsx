import { Button, Classes, InputGroup } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import {
  maxDisplayNameLength,
  maxUsernameLength,
} from '../../../../command-api/contract/limits.ts';
import { selfQuery, useSelf } from '../../../shared/account.ts';
import { Field } from '../../../shared/components/field.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { paths } from '../../../shared/paths.ts';
import { storedUser, storeUser } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.ts';
import { type UserRow, useEditSelf } from '../api/users.ts';
import { userRefusals } from '../components/refused-fields.ts';

const Form = ({ self }: Readonly<{ self: UserRow }>) => {
  const { t } = useTranslation(['user', 'common']);
  const queryClient = useQueryClient();
  const [form, setForm] = useState({ username: self.username, display_name: self.display_name });
  const edit = useEditSelf();
  const { problem, report } = useFormProblem(form);
  const showRefusal = useRefusals(report, userRefusals);
  const submit = () => {
    const profile = { ...form, username: form.username.trim() };
    if (profile.username === '') return report('username', t('name-missing'));
    const done = async () => {
      toast('success', t('updated-done'));
      const stored = storedUser();
      if (stored) storeUser({ ...stored, ...profile });
      await queryClient.invalidateQueries({ queryKey: selfQuery.queryKey });
    };
    edit.mutate(profile, { onError: showRefusal, onSuccess: done });
  };
  const field = (name: keyof typeof form, label: string, maxLength: number) => (
    <Field label={label} name={name}>
      {(id) => (
        <InputGroup
          id={id}
          autoComplete="off"
          maxLength={maxLength}
          value={form[name]}
          onValueChange={(text) => setForm({ ...form, [name]: text })}
        />
      )}
    </Field>
  );
  return (
    <ProblemForm problem={problem} onSubmit={submit}>
      {field('username', t('column.name'), maxUsernameLength)}
      {field('display_name', t('display-name'), maxDisplayNameLength)}
      <p className="subtle">
        <Link to={paths.personal}>{t('to-password')}</Link>
      </p>
      <div className="button-row">
        <Button type="submit" intent="primary" text={t('common:submit')} loading={edit.isPending} />
      </div>
    </ProblemForm>
  );
};

/** A user's own names. Group and balance are for others to set. */
export const OwnProfile = () => {
  const { t } = useTranslation('user');
  const self = useSelf();
  return (
    <Page title={t('own-title')} lead={t('own-lead')}>
      <section className="panel panel-body narrow-panel">
        {self.isError && !self.data && (
          <LoadFailed error={self.error} onRetry={() => void self.refetch()} />
        )}
        {self.isPending && <div className={`${Classes.SKELETON} card-skeleton`} />}
        {self.data && <Form self={self.data} />}
      </section>
    </Page>
  );
};
