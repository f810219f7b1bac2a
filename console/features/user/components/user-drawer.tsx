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
import { MoneyConfirmation } from '../../../shared/components/money-confirmation.tsx';
import { MoneyReceipt } from '../../../shared/components/money-receipt.tsx';
import { LoadingDrawer, SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { asCurrency } from '../../../shared/format/quota.ts';
import { ledgerOf } from '../../../shared/paths.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { type UserRow, useAllGroups, useEditUser } from '../api/users.ts';
import { EndSessions } from './end-sessions.tsx';
import { NewUser } from './new-user.tsx';
import { userRefusals } from './refused-fields.ts';
import { RemoveSecondFactor } from './remove-second-factor.tsx';
import { TextField } from './text-field.tsx';

/** Null: closed. */
export type DrawerTarget = 'new' | number | null;

/** Read-only here: only their owner can bind or unlink. */
const bindings = [
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
] as const;

const QuotaField = ({
  quota,
  onChange,
}: Readonly<{ quota: string; onChange: (text: string) => void }>) => {
  const { t } = useTranslation('user');
  const display = useQuotaDisplay();
  const [added, setAdded] = useState('');
  const [isWrong, setWrong] = useState(false);
  const units = Number(quota);
  const add = () => {
    const sum = units + Number(added);
    if (added.trim() === '' || !Number.isSafeInteger(sum)) return setWrong(true);
    onChange(String(sum));
    setAdded('');
  };
  return (
    <>
      <Field
        label={t('column.balance')}
        name="quota"
        hint={t('worth', { amount: asCurrency(Math.trunc(units) || 0, display) })}
      >
        {(id) => <InputGroup id={id} inputMode="numeric" value={quota} onValueChange={onChange} />}
      </Field>
      <Field
        label={t('add-quota')}
        hint={t('add-quota-hint')}
        error={isWrong ? t('quota-wrong') : undefined}
      >
        {(id) => (
          <InputGroup
            id={id}
            inputMode="numeric"
            value={added}
            onValueChange={(text) => {
              setAdded(text);
              setWrong(false);
            }}
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
  const { problem, report } = useFormProblem({ ...form, reason });
  const showRefusal = useRefusals(report, userRefusals);
  const [isConfirming, setConfirming] = useState(false);
  const [isDone, setDone] = useState(false);
  const isAdjusted = form.quota.trim() !== String(user.quota);
  const edit = useEditUser();
  const groups = useAllGroups().data ?? [];
  const change = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const quota = Number(form.quota);
  const send = () => {
    const done = () => {
      setConfirming(false);
      // Money is answered with a receipt, all else with a toast.
      if (isAdjusted) return setDone(true);
      toast('success', t('updated-done'));
      onClose();
    };
    // The balance that was seen goes along, so that what was spent meanwhile is not given back.
    const why = isAdjusted ? { reason: reason.trim() } : {};
    const sent = { ...form, id: user.id, quota, quota_seen: user.quota, ...why };
    const failed = (error: unknown) => {
      setConfirming(false);
      showRefusal(error);
    };
    edit.mutate(sent, { onSuccess: done, onError: failed });
  };
  const submit = () => {
    if (form.quota.trim() === '' || !Number.isSafeInteger(quota)) {
      return report('quota', t('quota-wrong'));
    }
    if (isAdjusted && reason.trim() === '') return report('reason', t('reason-missing'));
    if (form.password !== '' && characterCount(form.password) < passwordLength.min) {
      return report('password', t('password-short'));
    }
    if (isAdjusted) setConfirming(true);
    else send();
  };
  const delta = quota - user.quota;
  if (isDone) {
    return (
      <MoneyReceipt
        title={t('adjustment-done')}
        delta={delta}
        balance={null}
        reason={reason.trim()}
        to={`${ledgerOf(user.id)}?kind=QuotaAdjusted`}
        onClose={onClose}
      />
    );
  }
  return (
    <SideDrawer
      title={t('update-title')}
      isOpen
      side="right"
      isSaving={edit.isPending}
      submitText={t('common:submit')}
      draft={{ ...form, reason }}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('column.name')}
        name="username"
        maxLength={maxUsernameLength}
        value={form.username}
        onChange={(username) => change({ username })}
      />
      <TextField
        label={t('display-name')}
        name="display_name"
        maxLength={maxDisplayNameLength}
        value={form.display_name}
        onChange={(display_name) => change({ display_name })}
      />
      <TextField
        label={t('password')}
        name="password"
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
        <Field label={t('reason')} hint={t('reason-hint')} name="reason" isRequired>
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
      <MoneyConfirmation
        isOpen={isConfirming}
        title={t('adjustment-question', { name: user.username })}
        confirmText={t('adjustment-confirm')}
        delta={delta}
        balance={user.quota}
        reason={reason.trim()}
        isSending={edit.isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={send}
      />
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
