import { Button, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  characterCount,
  maxDisplayNameLength,
  maxGroupLength,
  maxReasonLength,
  maxUsernameLength,
  passwordLength,
} from '../../../../command-api/contract/limits.ts';
import { userQuery } from '../../../shared/account.ts';
import { Facts } from '../../../shared/components/facts.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { LoadingDrawer, SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { asCurrency } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { type UserRow, useAllGroups, useCreateUser, useEditUser } from '../api/users.ts';
import { EndSessions } from './end-sessions.tsx';
import { RemoveSecondFactor } from './remove-second-factor.tsx';

/** Null: closed. */
export type DrawerTarget = 'new' | number | null;

/** Read-only here: only their owner can bind or let go. */
const bindings = [
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
] as const;

type TextProps = Readonly<{
  label: string;
  value: string;
  onChange: (text: string) => void;
  isSecret?: boolean;
  hint?: string;
  maxLength: number;
}>;

const TextField = ({ label, value, onChange, isSecret, hint, maxLength }: TextProps) => (
  <Field label={label} hint={hint}>
    {(id) => (
      <InputGroup
        id={id}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        maxLength={maxLength}
        value={value}
        onValueChange={onChange}
      />
    )}
  </Field>
);

const NewUser = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const { t } = useTranslation(['user', 'common']);
  const [form, setForm] = useState({ username: '', display_name: '', password: '' });
  const create = useCreateUser();
  const submit = () => {
    const username = form.username.trim();
    if (username === '' || form.password === '') return toast('error', t('name-or-password'));
    if (characterCount(form.password) < passwordLength.min)
      return toast('error', t('password-short'));
    const done = () => {
      toast('success', t('created-done'));
      onClose();
    };
    create.mutate({ ...form, username }, { onSuccess: done });
  };
  const field = (name: keyof typeof form, label: string, maxLength: number) => (
    <TextField
      label={label}
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
      onSubmit={submit}
      onClose={onClose}
    >
      {field('username', t('column.name'), 12)}
      {field('display_name', t('display-name'), 20)}
      {field('password', t('password'), 128)}
    </SideDrawer>
  );
};

const QuotaField = ({
  quota,
  onChange,
}: Readonly<{ quota: string; onChange: (text: string) => void }>) => {
  const { t } = useTranslation('user');
  const display = useQuotaDisplay();
  const [added, setAdded] = useState('');
  const units = Number(quota);
  const add = () => {
    const sum = units + Number(added);
    if (added.trim() === '' || !Number.isSafeInteger(sum)) return toast('error', t('quota-wrong'));
    onChange(String(sum));
    setAdded('');
  };
  return (
    <>
      <Field
        label={t('column.balance')}
        hint={t('worth', { amount: asCurrency(Math.trunc(units) || 0, display) })}
      >
        {(id) => <InputGroup id={id} inputMode="numeric" value={quota} onValueChange={onChange} />}
      </Field>
      <Field label={t('add-quota')} hint={t('add-quota-hint')}>
        {(id) => (
          <InputGroup
            id={id}
            inputMode="numeric"
            value={added}
            onValueChange={setAdded}
            rightElement={<Button variant="minimal" text={t('add-to-it')} onClick={add} />}
          />
        )}
      </Field>
    </>
  );
};

const Editor = ({ user, onClose }: Readonly<{ user: UserRow; onClose: () => void }>) => {
  const { t } = useTranslation(['user', 'common']);
  const [form, setForm] = useState({
    username: user.username,
    display_name: user.display_name,
    password: '',
    group: user.group,
    quota: String(user.quota),
  });
  const [reason, setReason] = useState('');
  const isAdjusted = form.quota.trim() !== String(user.quota);
  const edit = useEditUser();
  const groups = useAllGroups().data ?? [];
  const change = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const submit = () => {
    const quota = Number(form.quota);
    if (form.quota.trim() === '' || !Number.isSafeInteger(quota)) {
      return toast('error', t('quota-wrong'));
    }
    if (isAdjusted && reason.trim() === '') return toast('error', t('reason-missing'));
    if (form.password !== '' && characterCount(form.password) < passwordLength.min) {
      return toast('error', t('password-short'));
    }
    const done = () => {
      toast('success', t('updated-done'));
      onClose();
    };
    // The balance that was seen goes along, so that what was spent meanwhile is not given back.
    const why = isAdjusted ? { reason: reason.trim() } : {};
    const sent = { ...form, id: user.id, quota, quota_seen: user.quota, ...why };
    edit.mutate(sent, { onSuccess: done });
  };
  return (
    <SideDrawer
      title={t('update-title')}
      isOpen
      side="right"
      isSaving={edit.isPending}
      submitText={t('common:submit')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('column.name')}
        maxLength={maxUsernameLength}
        value={form.username}
        onChange={(username) => change({ username })}
      />
      <TextField
        label={t('display-name')}
        maxLength={maxDisplayNameLength}
        value={form.display_name}
        onChange={(display_name) => change({ display_name })}
      />
      <TextField
        label={t('password')}
        hint={t('password-hint')}
        isSecret
        maxLength={passwordLength.max}
        value={form.password}
        onChange={(password) => change({ password })}
      />
      <Field label={t('column.group')} hint={t('group-hint')}>
        {(id) => (
          <>
            <InputGroup
              id={id}
              list={`${id}-groups`}
              maxLength={maxGroupLength}
              value={form.group}
              onValueChange={(group) => change({ group })}
            />
            <datalist id={`${id}-groups`}>
              {groups.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <QuotaField quota={form.quota} onChange={(quota) => change({ quota })} />
      {isAdjusted && (
        <Field label={t('reason')} hint={t('reason-hint')} isRequired>
          {(id) => (
            <InputGroup
              id={id}
              maxLength={maxReasonLength}
              value={reason}
              onValueChange={setReason}
            />
          )}
        </Field>
      )}
      <h2 className="form-section">{t('bindings')}</h2>
      <Facts facts={bindings.map((name) => [t(`binding.${name}`), user[name] || t('unbound')])} />
      <EndSessions user={user} />
      {user.second_factor && <RemoveSecondFactor user={user} />}
    </SideDrawer>
  );
};

const Existing = ({ userId, onClose }: Readonly<{ userId: number; onClose: () => void }>) => {
  const { t } = useTranslation('user');
  const user = useQuery(userQuery(userId));
  // An old copy would show a balance that is no longer true.
  if (user.data && user.isFetchedAfterMount) return <Editor user={user.data} onClose={onClose} />;
  return <LoadingDrawer title={t('update-title')} query={user} onClose={onClose} />;
};

export const UserDrawer = ({
  target,
  onClose,
}: Readonly<{ target: DrawerTarget; onClose: () => void }>) => {
  if (target === null) return null;
  if (target === 'new') return <NewUser onClose={onClose} />;
  return <Existing key={target} userId={target} onClose={onClose} />;
};
