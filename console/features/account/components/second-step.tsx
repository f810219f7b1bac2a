import { Button } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { postJson } from '../../../shared/api/client.ts';
import { SignForm } from '../../../shared/components/sign-form.tsx';
import type { FactorProof, FactorQuestion } from '../../../shared/second-factor/api.ts';
import {
  OtherMethods,
  ProofFields,
  useProofForm,
} from '../../../shared/second-factor/proof-fields.tsx';
import { type StoredUser, storeUser } from '../../../shared/session.ts';

type Props = Readonly<{ question: FactorQuestion; onDone: () => void; onBack: () => void }>;

/** The second step of signing in: the password or the login provider has been right. */
export const SecondStep = ({ question, onDone, onBack }: Props) => {
  const { t } = useTranslation('factor');
  const prove = useMutation({
    mutationFn: (proof: FactorProof) =>
      postJson<StoredUser>('/api/user/login/second_factor', proof),
    onSuccess: (user) => {
      storeUser(user);
      onDone();
    },
    meta: { isQuiet: true },
  });
  const form = useProofForm({ question, onProof: (proof) => prove.mutate(proof) });
  return (
    <SignForm
      title={t('sign-in-title')}
      lead={t('sign-in-lead')}
      submitText={t(form.method === 'passkey' ? 'use-passkey' : 'sign-in')}
      isSending={prove.isPending}
      onSubmit={form.submit}
      footer={
        <div className="proof-footer">
          <OtherMethods form={form} />
          <Button variant="minimal" size="small" text={t('sign-in-back')} onClick={onBack} />
        </div>
      }
    >
      <ProofFields form={form} error={prove.error} />
    </SignForm>
  );
};
