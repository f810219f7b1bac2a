import { Button, ButtonGroup } from '@blueprintjs/core';
import { CaretDown, Disable, Duplicate, Edit, Tick, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { RowMenu } from '../../../shared/components/row-menu.tsx';
import { channelEdit } from '../../../shared/paths.ts';
import { toast } from '../../../shared/toast.ts';
import { useCopyChannel } from '../api/batch.ts';
import {
  type ChannelRow,
  useChangeChannelRow,
  useDeleteChannel,
  useTestChannel,
} from '../api/channels.ts';
import { TestDialog } from './test-dialog.tsx';

export const ChannelActions = ({ channel }: Readonly<{ channel: ChannelRow }>) => {
  const { t } = useTranslation(['channel', 'common']);
  const navigate = useNavigate();
  const { search } = useLocation();
  const test = useTestChannel();
  const update = useChangeChannelRow();
  const remove = useDeleteChannel();
  const copy = useCopyChannel();
  const [isChoosing, setChoosing] = useState(false);
  const done = { onSuccess: () => toast('success', t('common:done')) };
  const isOn = channel.status === 1;
  const runTest = (model?: string) =>
    test.mutate(
      { id: channel.id, ...(model && { model }) },
      {
        onSuccess: (seconds) =>
          toast('info', t('test-done', { name: channel.name, seconds: seconds.toFixed(2) })),
      },
    );
  return (
    <div className="row-actions">
      <ButtonGroup>
        <Button
          size="small"
          text={t('common:test')}
          loading={test.isPending}
          onClick={() => runTest()}
        />
        <Button
          size="small"
          icon={<CaretDown />}
          aria-label={t('test-with')}
          onClick={() => setChoosing(true)}
        />
      </ButtonGroup>
      <RowMenu
        name={channel.name}
        isSending={update.isPending || copy.isPending || remove.isPending}
        actions={[
          {
            text: t('common:edit'),
            icon: <Edit />,
            onClick: () => void navigate({ pathname: channelEdit(channel.id), search }),
          },
          {
            text: isOn ? t('common:disable') : t('common:enable'),
            icon: isOn ? <Disable /> : <Tick />,
            onClick: () => update.mutate({ id: channel.id, status: isOn ? 2 : 1 }, done),
          },
          {
            text: t('common:copy'),
            icon: <Duplicate />,
            question: {
              title: t('copy-question', { name: channel.name }),
              hint: t('copy-hint'),
              onConfirm: () =>
                copy.mutate(
                  { copy_from: channel.id, name: t('copy-name', { name: channel.name }) },
                  { onSuccess: () => toast('success', t('copy-done')) },
                ),
            },
          },
          {
            text: t('common:delete'),
            icon: <Trash />,
            isDanger: true,
            question: {
              title: t('delete-question'),
              onConfirm: () => remove.mutate(channel.id, done),
            },
          },
        ]}
      />
      <TestDialog
        isOpen={isChoosing}
        models={channel.models}
        onClose={() => setChoosing(false)}
        onChoose={(model) => {
          setChoosing(false);
          runTest(model);
        }}
      />
    </div>
  );
};
