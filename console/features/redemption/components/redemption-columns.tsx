import { Button, PopoverNext } from '@blueprintjs/core';
import { Clipboard, Disable, Edit, EyeOpen, Tick, Trash } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { redemptionStates } from '../../../../projections/contract/codes.ts';
import { useCopy } from '../../../shared/clipboard.ts';
import type { Column } from '../../../shared/components/columns.ts';
import { Moment } from '../../../shared/components/moment.tsx';
import { Money } from '../../../shared/components/money.tsx';
import { RowMenu } from '../../../shared/components/row-menu.tsx';
import { StatusDot } from '../../../shared/components/status-dot.tsx';
import { toast } from '../../../shared/toast.ts';
import {
  type RedemptionRow,
  useDeleteRedemption,
  useSwitchRedemption,
} from '../api/redemptions.ts';

type Translate = TFunction<'redemption'>;
type OnEdit = (row: RedemptionRow) => void;

const Status = ({ status, t }: Readonly<{ status: number; t: Translate }>) => {
  if (status === redemptionStates.unused) return <StatusDot tone="good">{t('status.1')}</StatusDot>;
  if (status === redemptionStates.disabled)
    return <StatusDot tone="bad">{t('status.2')}</StatusDot>;
  if (status === redemptionStates.used) return <StatusDot tone="idle">{t('status.3')}</StatusDot>;
  return <StatusDot tone="idle">{t('status.unknown')}</StatusDot>;
};

const Actions = ({ row, onEdit }: Readonly<{ row: RedemptionRow; onEdit: OnEdit }>) => {
  const { t } = useTranslation(['redemption', 'common']);
  const toggle = useSwitchRedemption();
  const remove = useDeleteRedemption();
  const isOn = row.status === redemptionStates.unused;
  const done = { onSuccess: () => toast('success', t('common:done')) };
  return (
    <div className="row-actions">
      <RowMenu
        name={`${row.name} #${row.id}`}
        isSending={toggle.isPending || remove.isPending}
        actions={[
          {
            text: t('common:edit'),
            icon: <Edit />,
            isDisabled: !isOn,
            onClick: () => onEdit(row),
          },
          {
            text: isOn ? t('common:disable') : t('common:enable'),
            icon: isOn ? <Disable /> : <Tick />,
            isDisabled: row.status === redemptionStates.used,
            onClick: () => toggle.mutate({ id: row.id, isOn: !isOn }, done),
          },
          {
            text: t('common:delete'),
            icon: <Trash />,
            isDanger: true,
            question: {
              title: t('delete-question'),
              onConfirm: () => remove.mutate(row.id, done),
            },
          },
        ]}
      />
    </div>
  );
};

/** A part of the code, with all of it on demand. */
const Code = ({ code }: Readonly<{ code: string }>) => {
  const { t } = useTranslation('common');
  const copy = useCopy();
  const small = { variant: 'minimal', size: 'small' } as const;
  return (
    <span className="token-key">
      <code className="subtle">{`${code.slice(0, 4)}…${code.slice(-4)}`}</code>
      <Button
        {...small}
        icon={<Clipboard size={14} />}
        aria-label={t('copy')}
        title={t('copy')}
        onClick={() => void copy(code)}
      />
      <PopoverNext
        placement="top"
        content={
          <div className="confirm">
            <code className="whole-key">{code}</code>
          </div>
        }
      >
        <Button {...small} icon={<EyeOpen size={14} />} aria-label={t('view')} title={t('view')} />
      </PopoverNext>
    </span>
  );
};

export const redemptionColumns = ({
  t,
  onEdit,
}: Readonly<{
  t: Translate;
  onEdit: OnEdit;
}>): readonly Column<RedemptionRow>[] => [
  { key: 'id', title: t('column.id'), width: 64, render: ({ id }) => id },
  {
    key: 'name',
    title: t('column.name'),
    card: 'title',
    render: ({ name }) => <strong>{name}</strong>,
  },
  {
    key: 'code',
    title: t('column.code'),
    width: 170,
    card: 'line',
    render: ({ key }) => <Code code={key} />,
  },
  {
    key: 'status',
    title: t('column.status'),
    width: 120,
    card: 'line',
    render: ({ status }) => <Status status={status} t={t} />,
  },
  {
    key: 'created',
    title: t('column.created'),
    width: 110,
    render: (row) => <Moment at={row.created_time} />,
  },
  {
    key: 'used-by',
    title: t('column.used-by'),
    width: 100,
    render: (row) => (row.used_user_id === 0 ? t('nobody') : row.used_user_id),
  },
  {
    key: 'quota',
    title: t('column.quota'),
    width: 110,
    isNumber: true,
    card: 'figure',
    render: ({ quota }) => <Money units={quota} isShort />,
  },
  {
    key: 'actions',
    title: t('column.actions'),
    width: 80,
    isWide: true,
    card: 'aside',
    render: (row) => <Actions row={row} onEdit={onEdit} />,
  },
];
