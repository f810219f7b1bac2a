import { Button, Tag } from '@blueprintjs/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { formatSeconds } from '../../../shared/format/time.ts';
import { toast } from '../../../shared/toast.ts';
import {
  type ListedPasskey,
  type SecondFactorList,
  useRemovePasskey,
  useRemoveTotp,
} from '../api/second-factors.ts';
import { RenamePasskeyDialog } from './passkey-dialog.tsx';

type RowProps = Readonly<{ name: string; kind: string; facts: string; children: ReactNode }>;

const Row = ({ name, kind, facts, children }: RowProps) => (
  <li aria-label={name}>
    <div className="device">
      <div className="device-name">
        <span>{name}</span>
        {kind !== name && <Tag minimal>{kind}</Tag>}
      </div>
      <div className="device-facts">{facts}</div>
    </div>
    {children}
  </li>
);

type Times = Readonly<{ added_at: number; used_at: number }>;

/** When it was added, and used last. */
const useFacts = ({ added_at, used_at }: Times): string => {
  const { t } = useTranslation('factor');
  const added = t('added', { time: formatSeconds(added_at) });
  const used = used_at === 0 ? t('never-used') : t('used', { time: formatSeconds(used_at) });
  return `${added} · ${used}`;
};

export const TotpRow = ({ totp }: Readonly<{ totp: NonNullable<SecondFactorList['totp']> }>) => {
  const { t } = useTranslation('factor');
  const remove = useRemoveTotp();
  const name = t('totp');
  return (
    <Row name={name} kind={name} facts={useFacts(totp)}>
      <ConfirmPopover
        title={t('totp-remove-question')}
        hint={t('remove-hint')}
        onConfirm={() =>
          remove.mutate(undefined, { onSuccess: () => toast('success', t('removed')) })
        }
      >
        <Button size="small" variant="minimal" text={t('remove')} loading={remove.isPending} />
      </ConfirmPopover>
    </Row>
  );
};

export const PasskeyRow = ({ passkey }: Readonly<{ passkey: ListedPasskey }>) => {
  const { t } = useTranslation('factor');
  const remove = useRemovePasskey();
  const [isRenaming, setRenaming] = useState(false);
  return (
    <Row name={passkey.name} kind={t('passkey')} facts={useFacts(passkey)}>
      <Button size="small" variant="minimal" text={t('rename')} onClick={() => setRenaming(true)} />
      <ConfirmPopover
        title={t('passkey-remove-question', { name: passkey.name })}
        hint={t('remove-hint')}
        onConfirm={() =>
          remove.mutate(passkey.id, { onSuccess: () => toast('success', t('removed')) })
        }
      >
        <Button size="small" variant="minimal" text={t('remove')} loading={remove.isPending} />
      </ConfirmPopover>
      {isRenaming && <RenamePasskeyDialog passkey={passkey} onClose={() => setRenaming(false)} />}
    </Row>
  );
};
