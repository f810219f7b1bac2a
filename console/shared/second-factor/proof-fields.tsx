import { Button, Callout, InputGroup } from '@blueprintjs/core';
import { IdNumber } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../api/report-error.ts';
import { Field } from '../components/field.tsx';
import { type FactorMethod, type FactorProof, type FactorQuestion, passkeys } from './api.ts';

type ProofForm = Readonly<{
  question: FactorQuestion;
  isSending: boolean;
  error: Error | null;
  onProof: (proof: FactorProof) => void;
}>;

/** Which method is in front of the user, and what they typed. */
export const useProofForm = ({ question, onProof }: Pick<ProofForm, 'question' | 'onProof'>) => {
  const { methods, token, passkey } = question;
  const usable = methods.filter((method) => method !== 'passkey' || passkey !== undefined);
  const [method, setMethod] = useState<FactorMethod>(usable[0] ?? 'recovery-code');
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [hasFailed, setFailed] = useState(false);

  const byPasskey = async () => {
    if (passkey === undefined) return;
    setFailed(false);
    try {
      const { startAuthentication } = await passkeys();
      const assertion = await startAuthentication({ optionsJSON: passkey });
      onProof({ method: 'passkey', token, assertion });
    } catch {
      // Closed by the user, or no passkey for this address on this device.
      setFailed(true);
    }
  };

  return {
    usable,
    method,
    code,
    isMissing,
    hasFailed,
    choose: (next: FactorMethod) => {
      setMethod(next);
      setCode('');
      setMissing(false);
      setFailed(false);
    },
    type: (text: string) => {
      setCode(text);
      setMissing(false);
    },
    submit: () => {
      if (method === 'passkey') void byPasskey();
      else if (code.trim() === '') setMissing(true);
      else if (method === 'password') onProof({ method, token, password: code });
      else onProof({ method, token, code: code.trim() });
    },
  };
};

type Form = ReturnType<typeof useProofForm>;
const maxLengths = { totp: 8, 'recovery-code': 24, password: 256 } as const;
type Props = Readonly<{ form: Form; error: Error | null }>;

/** A code to type, or a passkey to touch. */
export const ProofFields = ({ form, error }: Props) => {
  const { t } = useTranslation('factor');
  const { t: common } = useTranslation('common');
  const { method, code } = form;
  const problem = form.isMissing
    ? t('code-missing')
    : form.hasFailed
      ? t('passkey-failed')
      : error && errorText(error, common);
  return (
    <div className="proof">
      {method === 'passkey' ? (
        <p className="proof-passkey">
          <IdNumber size={20} />
          <span>{t('passkey-hint')}</span>
        </p>
      ) : (
        <Field label={t(`code.${method}`)} hint={t(`code-hint.${method}`)} key={method}>
          {(id) => (
            <InputGroup
              id={id}
              size="large"
              className={method === 'password' ? '' : 'mono proof-code'}
              type={method === 'password' ? 'password' : 'text'}
              autoFocus
              autoComplete={method === 'password' ? 'current-password' : 'one-time-code'}
              inputMode={method === 'totp' ? 'numeric' : 'text'}
              maxLength={maxLengths[method]}
              value={code}
              onValueChange={form.type}
            />
          )}
        </Field>
      )}
      {problem && (
        <Callout intent="danger" role="alert" className="proof-problem">
          {problem}
        </Callout>
      )}
    </div>
  );
};

/** The other ways to prove it. */
export const OtherMethods = ({ form }: Readonly<{ form: Form }>) => {
  const { t } = useTranslation('factor');
  const others = form.usable.filter((method) => method !== form.method);
  return (
    <div className="proof-others">
      {others.map((method) => (
        <Button
          key={method}
          size="small"
          variant="minimal"
          text={t(`use.${method}`)}
          onClick={() => form.choose(method)}
        />
      ))}
    </div>
  );
};
