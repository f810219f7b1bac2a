import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmailFields } from '../../../shared/login/email-fields.tsx';
import { useHumanCheck } from '../../../shared/login/human-check.tsx';
import { toast } from '../../../shared/toast.ts';
import { useBindEmail } from '../api/bindings.ts';

/** Binds an address by the code that was mailed to it; a former address is replaced. */
export const EmailDialog = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const { t } = useTranslation('personal');
  const humanCheck = useHumanCheck();
  const bind = useBindEmail();
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const submit = () => {
    if (email.trim() === '') return toast('error', t('email-missing'));
    if (code.trim() === '') return toast('error', t('email-code-missing'));
    bind.mutate(
      { email: email.trim(), code: code.trim() },
      {
        onSuccess: () => {
          toast('success', t('email-done'));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('email-title')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <DialogBody>
          <EmailFields
            email={email}
            code={code}
            onEmail={setEmail}
            onCode={setCode}
            humanCheck={humanCheck}
          />
          {humanCheck.widget}
        </DialogBody>
        <DialogFooter
          actions={
            <Button type="submit" intent="primary" text={t('bind')} loading={bind.isPending} />
          }
        />
      </form>
    </Dialog>
  );
};
