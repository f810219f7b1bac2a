import { Button, PopoverNext } from '@blueprintjs/core';
import { Clipboard, EyeOpen } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { redemptionStates } from '../../../../projections/contract/codes.ts';
import { useCopy } from '../../../shared/clipboard.ts';
import type { Column } from '../../../shared/components/data-table.tsx';
import { DeleteButton, EditButton, SwitchButton } from '../../../shared/components/row-buttons.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatQuota, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { toast } from '../../../shared/toast.ts';
import {
  type RedemptionRow,
  useDeleteRedemption,
  useSwitchRedemption,
} from '../api/redemptions.ts';

type Translate = TFunction<'redemption'>;
type OnEdit = (row: RedemptionRow) => void;

const Status = ({ status, t }: Readonly<{ status: number; t: Translate }>) => {
  if (status === redemptionStates.unused) return <ToneTag colour="green">{t('status.1')}</ToneTag>;
  if (status === redemptionStates.disabled) return <ToneTag colour="red">{t('status.2')}</ToneTag>;
  if (status === redemptionStates.used) return <ToneTag colour="grey">{t('status.3')}</ToneTag>;
  return <ToneTag colour="grey">{t('status.unknown')}</ToneTag>;
};

const Actions = ({ row, onEdit }: Readonly<{ row: RedemptionRow; onEdit: OnEdit }>) => {
  const { t } = useTranslation(['redemption', 'common']);
  const copy = useCopy();
  const toggle = useSwitchRedemption();
  const remove = useDeleteRedemption();
  const isOn = row.status === redemptionStates.unused;
  const done = { onSuccess: () => toast('success', t('common:done')) };
  const small = { variant: 'minimal', size: 'small' } as const;
  return (
    <div className="row-actions">
      <PopoverNext
        placement="top"
        content={
          <div className="confirm">
            <code className="whole-key">{row.key}</code>
          </div>
        }
      >
        <Button
          {...small}
          icon={<EyeOpen />}
          aria-label={t('common:view')}
          title={t('common:view')}
        />
      </PopoverNext>
      <Button
        {...small}
        icon={<Clipboard />}
        aria-label={t('common:copy')}
        title={t('common:copy')}
        onClick={() => void copy(row.key)}
      />
      <SwitchButton
        isOn={isOn}
        isDisabled={row.status === redemptionStates.used}
        isSending={toggle.isPending}
        onChange={(next) => toggle.mutate({ id: row.id, isOn: next }, done)}
      />
      <EditButton isDisabled={!isOn} onClick={() => onEdit(row)} />
      <DeleteButton
        question={t('delete-question')}
        isSending={remove.isPending}
        onConfirm={() => remove.mutate(row.id, done)}
      />
    </div>
  );
};

export const redemptionColumns = ({
  t,
  display,
  onEdit,
}: Readonly<{
  t: Translate;
  display: QuotaDisplay;
  onEdit: OnEdit;
}>): readonly Column<RedemptionRow>[] => [
  { key: 'id', title: t('column.id'), render: ({ id }) => id },
  { key: 'name', title: t('column.name'), render: ({ name }) => name },
  {
    key: 'status',
    title: t('column.status'),
    render: ({ status }) => <Status status={status} t={t} />,
  },
  {
    key: 'quota',
    title: t('column.quota'),
    isNumber: true,
    render: ({ quota }) => formatQuota(quota, display),
  },
  {
    key: 'created',
    title: t('column.created'),
    render: (row) => <span className="nowrap">{formatSeconds(row.created_time)}</span>,
  },
  {
    key: 'used-by',
    title: t('column.used-by'),
    render: (row) => (row.used_user_id === 0 ? t('nobody') : row.used_user_id),
  },
  {
    key: 'actions',
    title: t('column.actions'),
    isWide: true,
    render: (row) => <Actions row={row} onEdit={onEdit} />,
  },
];
