import { InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxTokenNameLength } from '../../../../command-api/contract/limits.ts';
import { Field } from '../../../shared/components/field.tsx';
import { LoadingDrawer, SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { toast } from '../../../shared/toast.ts';
import { type TokenForm, tokenQuery, useCreateTokens, useUpdateToken } from '../api/tokens.ts';
import { CallLimitFields } from './call-limit-fields.tsx';
import { ExpiryField } from './expiry-field.tsx';
import { LimitFields } from './limit-fields.tsx';
import { QuotaField } from './quota-field.tsx';
import { blankToken, countPresets, formOf, isCallLimit, problemOf } from './token-form.ts';

/** The field that a refusal is about, by the problem that the field shows. */
const fieldOf = {
  'token.name-length': 'name-missing',
  'token.quota-invalid': 'quota-wrong',
  'token.expiry-invalid': 'expiry-wrong',
  'token.expiry-in-past': 'expiry-wrong',
};

type EditorProps = Readonly<{ tokenId: number | null; initial: TokenForm; onClose: () => void }>;

const CountField = ({
  count,
  onChange,
}: Readonly<{ count: string; onChange: (n: string) => void }>) => {
  const { t } = useTranslation('token');
  return (
    <Field label={t('count')} hint={t('count-hint')} name="count-wrong">
      {(id) => (
        <>
          <InputGroup
            id={id}
            type="number"
            min={1}
            list={`${id}-presets`}
            value={count}
            onValueChange={onChange}
          />
          <datalist id={`${id}-presets`}>
            {countPresets.map((preset) => (
              <option key={preset} value={preset} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
};

const Editor = ({ tokenId, initial, onClose }: EditorProps) => {
  const { t } = useTranslation(['token', 'common']);
  const [form, setForm] = useState(initial);
  const [count, setCount] = useState('1');
  const draft = { form, count };
  const { problem, report } = useFormProblem(draft);
  const showRefusal = useRefusals(report, fieldOf);
  const create = useCreateTokens();
  const update = useUpdateToken();
  const change = (changes: Partial<TokenForm>) => setForm({ ...form, ...changes });
  const isNew = tokenId === null;

  const submit = () => {
    const wrong = problemOf(form, Number(count));
    if (wrong !== null) {
      report(wrong, t(isCallLimit(wrong) ? 'limit-wrong' : wrong));
      return;
    }
    const done = (message: string) => ({
      onError: showRefusal,
      onSuccess: () => {
        toast('success', message);
        onClose();
      },
    });
    if (isNew) create.mutate({ form, count: Number(count) }, done(t('created-done')));
    else {
      const edit = { ...form, id: tokenId, remain_quota_seen: initial.remain_quota };
      update.mutate(edit, done(t('updated-done')));
    }
  };

  return (
    <SideDrawer
      title={isNew ? t('create-title') : t('update-title')}
      isOpen
      side={isNew ? 'left' : 'right'}
      isSaving={create.isPending || update.isPending}
      submitText={t('common:submit')}
      draft={draft}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('name')} name="name-missing" isRequired>
        {(id) => (
          <InputGroup
            id={id}
            autoFocus={isNew}
            maxLength={maxTokenNameLength}
            value={form.name}
            placeholder={t('name-placeholder')}
            onValueChange={(name) => change({ name })}
          />
        )}
      </Field>
      <ExpiryField
        value={form.expired_time}
        onChange={(expired_time) => change({ expired_time })}
      />
      <QuotaField form={form} onChange={change} />
      {isNew && <CountField count={count} onChange={setCount} />}
      <LimitFields form={form} onChange={change} />
      <CallLimitFields form={form} onChange={change} />
    </SideDrawer>
  );
};

const Existing = ({ tokenId, onClose }: Readonly<{ tokenId: number; onClose: () => void }>) => {
  const { t } = useTranslation('token');
  const token = useQuery(tokenQuery(tokenId));
  // An old copy would overwrite what the token has spent since.
  if (token.data && token.isFetchedAfterMount) {
    return <Editor tokenId={tokenId} initial={formOf(token.data)} onClose={onClose} />;
  }
  return <LoadingDrawer title={t('update-title')} query={token} onClose={onClose} />;
};

/** `null`: closed. */
export type DrawerTarget = 'new' | number | null;

export const TokenDrawer = ({
  target,
  onClose,
}: Readonly<{ target: DrawerTarget; onClose: () => void }>) => {
  if (target === null) return null;
  if (target === 'new') return <Editor tokenId={null} initial={blankToken} onClose={onClose} />;
  return <Existing tokenId={target} onClose={onClose} />;
};
