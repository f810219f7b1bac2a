import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { toast } from '../../../shared/toast.ts';
import { type IdentityProvider, useUnbind } from '../api/bindings.ts';

type Props = Readonly<{
  name: string;
  /** Shown as it is; "" while nothing is bound. */
  value: string;
  children: ReactNode;
}>;

/** One account that signs the user in, and what can be done about it. */
export const BindingRow = ({ name, value, children }: Props) => {
  const { t } = useTranslation('personal');
  return (
    <li aria-label={name}>
      <span className="binding-name">{name}</span>
      <span className={value === '' ? 'binding-value is-none' : 'binding-value'} title={value}>
        {value || t('binding-none')}
      </span>
      {children}
    </li>
  );
};

export const OffButton = () => {
  const { t } = useTranslation('personal');
  return <Button size="small" disabled text={t('binding-off')} />;
};

type UnbindProps = Readonly<{ provider: IdentityProvider; name: string }>;

export const UnbindButton = ({ provider, name }: UnbindProps) => {
  const { t } = useTranslation('personal');
  const unbind = useUnbind();
  return (
    <ConfirmPopover
      title={t('unbind-question', { name })}
      hint={t('unbind-hint')}
      onConfirm={() =>
        unbind.mutate(provider, { onSuccess: () => toast('success', t('unbind-done')) })
      }
    >
      <Button size="small" variant="minimal" text={t('unbind')} loading={unbind.isPending} />
    </ConfirmPopover>
  );
};
