import { Button, Callout, Dialog, DialogBody, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { UserRow } from '../../../../projections/contract/user.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem } from '../../../shared/form-problem.ts';
import { paths } from '../../../shared/paths.ts';
import { clearUser } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.ts';
import { useDeleteSelf } from '../api/personal.ts';

/** Deleting the account needs its name typed. */
export const DeleteCard = ({ user }: Readonly<{ user: UserRow }>) => {
  const { t } = useTranslation(['personal', 'common']);
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const remove = useDeleteSelf();
  const { problem, report } = useFormProblem(typed);
  const submit = () => {
    if (typed.trim() !== user.username)
      return report('name', t('delete-name-wrong', { name: user.username }));
    const done = () => {
      toast('success', t('delete-done'));
      clearUser();
      void navigate(paths.login);
    };
    remove.mutate(undefined, { onSuccess: done });
  };
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('delete-title')}</h2>
      <p className="panel-lead">{t('delete-lead')}</p>
      <Button intent="danger" text={t('delete-title')} onClick={() => setOpen(true)} />
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('delete-title')}
        className="tg-dialog"
      >
        <ProblemForm problem={problem} onSubmit={submit}>
          <DialogBody>
            <Callout intent="danger">{t('delete-warning')}</Callout>
            <Field label={t('delete-type', { name: user.username })} name="name">
              {(id) => (
                <InputGroup id={id} autoComplete="off" value={typed} onValueChange={setTyped} />
              )}
            </Field>
          </DialogBody>
          <DialogButtons
            text={t('common:delete')}
            isDanger
            isSending={remove.isPending}
            onCancel={() => setOpen(false)}
          />
        </ProblemForm>
      </Dialog>
    </section>
  );
};
