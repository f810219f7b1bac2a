import { Button } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf } from '../../../shared/api/routes.ts';
import { SignForm } from '../../../shared/components/sign-form.tsx';
import type { FactorProof, FactorQuestion } from '../../../shared/second-factor/api.ts';
import {
  OtherMethods,
  ProofFields,
  useProofForm,
} from '../../../shared/second-factor/proof-fields.tsx';
import { storeUser } from '../../../shared/session.ts';

type Props = Readonly<{ question: FactorQuestion; onDone: () => void; onBack: () => void }>;

/** The second step of signing in: the password or the login provider has been right. */
export const SecondStep = ({ question, onDone, onBack }: Props) => {
  const { t } = useTranslation('factor');
  const prove = useMutation({
    mutationFn: (body: BodyOf<'POST /api/user/login/second_factor'>) =>
      call('POST /api/user/login/second_factor', { body }),
    onSuccess: (user) => {
      storeUser(user);
      onDone();
    },
    meta: { isQuiet: true },
  });
  // The password was the first step.
  const onProof = (proof: FactorProof) => {
    if (proof.method !== 'password') prove.mutate(proof);
  };
  const form = useProofForm({ question, onProof });
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
