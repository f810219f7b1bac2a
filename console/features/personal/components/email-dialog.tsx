import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { EmailFields } from '../../../shared/login/email-fields.tsx';
import { useHumanCheck } from '../../../shared/login/human-check.tsx';
import { emailAt, emailCodeAt } from '../../../shared/refusals.ts';
import { toast } from '../../../shared/toast.ts';
import { useBindEmail } from '../api/bindings.ts';

const fieldOf = { ...emailAt('email'), ...emailCodeAt('code') };

/** Binds an address by the code that was mailed to it; a former address is replaced. */
export const EmailDialog = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const { t } = useTranslation('personal');
  const humanCheck = useHumanCheck();
  const bind = useBindEmail();
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const { problem, report } = useFormProblem({ email, code });
  const showRefusal = useRefusals(report, fieldOf);
  const submit = () => {
    if (email.trim() === '') return report('email', t('email-missing'));
    if (code.trim() === '') return report('code', t('email-code-missing'));
    bind.mutate(
      { email: email.trim(), code: code.trim() },
      {
        onError: showRefusal,
        onSuccess: () => {
          toast('success', t('email-done'));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('email-title')}>
      <ProblemForm problem={problem} onSubmit={submit}>
        <DialogBody>
          <EmailFields
            email={email}
            code={code}
            onEmail={setEmail}
            onCode={setCode}
            humanCheck={humanCheck}
            onProblem={report}
          />
          {humanCheck.widget}
        </DialogBody>
        <DialogFooter
          actions={
            <Button type="submit" intent="primary" text={t('bind')} loading={bind.isPending} />
          }
        />
      </ProblemForm>
    </Dialog>
  );
};
