import { Classes, Dialog, DialogBody } from '@blueprintjs/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { DialogButtons } from '../components/dialog-buttons.tsx';
import { LoadFailed } from '../components/load-failed.tsx';
import type { FactorProof, FactorQuestion } from './api.ts';
import { settleConfirmation } from './confirmation.ts';
import { OtherMethods, ProofFields, useProofForm } from './proof-fields.tsx';

const ConfirmForm = ({ question }: Readonly<{ question: FactorQuestion }>) => {
  const { t } = useTranslation('factor');
  const confirm = useMutation({
    mutationFn: (body: FactorProof) => call('POST /api/user/second_factors/confirm', { body }),
    onSuccess: () => settleConfirmation(true),
    meta: { isQuiet: true },
  });
  const form = useProofForm({ question, onProof: (proof) => confirm.mutate(proof) });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <DialogBody>
        <p className="proof-lead">{t('confirm-lead')}</p>
        <ProofFields form={form} error={confirm.error} />
        <OtherMethods form={form} />
      </DialogBody>
      <DialogButtons
        text={t(form.method === 'passkey' ? 'use-passkey' : 'confirm')}
        isSending={confirm.isPending}
        onCancel={() => settleConfirmation(false)}
      />
    </form>
  );
};

/** Prompts for the second factor again; the client then repeats the call that needed it. */
export const ConfirmDialog = () => {
  const { t } = useTranslation('factor');
  const question = useQuery({
    queryKey: ['second-factor', 'challenge'],
    queryFn: () => call('POST /api/user/second_factors/challenge'),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { isQuiet: true },
  });
  return (
    <Dialog
      isOpen
      onClose={() => settleConfirmation(false)}
      title={t('confirm-title')}
      className="tg-dialog proof-dialog"
    >
      {question.data && <ConfirmForm question={question.data} />}
      {question.isPending && (
        <DialogBody>
          <div className={`${Classes.SKELETON} proof-skeleton`} />
        </DialogBody>
      )}
      {question.isError && (
        <DialogBody>
          <LoadFailed error={question.error} onRetry={() => void question.refetch()} />
        </DialogBody>
      )}
    </Dialog>
  );
};
