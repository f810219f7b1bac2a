import { Button, Dialog, DialogBody, InputGroup } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { type RowAction, RowMenu } from '../../../shared/components/row-menu.tsx';
import { toast } from '../../../shared/toast.ts';
import { useRepairChannels, useUpdateBalances } from '../api/balance.ts';
import { useDeleteChannels, useDeleteDisabled, useTagChannels, useTestAll } from '../api/batch.ts';
import { aRound, type Round } from './round-progress.tsx';

type Props = Readonly<{ ids: readonly number[]; onDone: () => void }>;

const TagDialog = ({ ids, onDone, onClose }: Props & Readonly<{ onClose: () => void }>) => {
  const { t } = useTranslation('channel');
  const [tag, setTag] = useState('');
  const save = useTagChannels();
  const submit = () => {
    if (tag.trim() === '') return toast('error', t('tag-missing'));
    const done = (count: number) => {
      toast('success', t('tagged-done', { count }));
      onDone();
      onClose();
    };
    save.mutate({ ids, tag: tag.trim() }, { onSuccess: done });
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('batch-tag')} className="tg-dialog is-small">
      <DialogBody>
        <Field label={t('tag')}>
          {(id) => <InputGroup id={id} autoFocus value={tag} onValueChange={setTag} />}
        </Field>
      </DialogBody>
      <DialogButtons isSending={save.isPending} onCancel={onClose} onConfirm={submit} />
    </Dialog>
  );
};

/** Acts over all channels. The long ones show their progress. */
export const AllMenu = ({ onRound }: Readonly<{ onRound: (round: Round) => void }>) => {
  const { t } = useTranslation('channel');
  const testAll = useTestAll();
  const balances = useUpdateBalances();
  const deleteDisabled = useDeleteDisabled();
  const repair = useRepairChannels();
  const begin = (kind: Round['kind']) => {
    const round = aRound(kind);
    const done = () => {
      toast('info', t(`round-begun.${kind}`));
      onRound(round);
    };
    (kind === 'test' ? testAll : balances).mutate(undefined, { onSuccess: done });
  };
  const actions: readonly RowAction[] = [
    {
      text: t('test-all'),
      question: {
        title: t('test-all-question'),
        hint: t('test-all-hint'),
        onConfirm: () => begin('test'),
      },
    },
    {
      text: t('balance-all'),
      question: {
        title: t('balance-all-question'),
        hint: t('balance-all-hint'),
        onConfirm: () => begin('balance'),
      },
    },
    {
      text: t('repair'),
      question: {
        title: t('repair-question'),
        hint: t('repair-hint'),
        onConfirm: () =>
          repair.mutate(undefined, {
            onSuccess: (count) => toast('success', t('repair-done', { count })),
          }),
      },
    },
    {
      text: t('delete-disabled'),
      isDanger: true,
      question: {
        title: t('delete-disabled-question'),
        onConfirm: () =>
          deleteDisabled.mutate(undefined, {
            onSuccess: (count) => toast('success', t('deleted-done', { count })),
          }),
      },
    },
  ];
  const isSending = [testAll, balances, deleteDisabled, repair].some(({ isPending }) => isPending);
  return (
    <RowMenu name={t('all-channels')} actions={actions}>
      <Button text={t('all-channels')} endIcon={<CaretDown />} loading={isSending} />
    </RowMenu>
  );
};

/** Acts over the selected channels. */
export const BatchBar = ({ ids, onDone }: Props) => {
  const { t } = useTranslation('channel');
  const [isTagging, setTagging] = useState(false);
  const remove = useDeleteChannels();
  const deleted = (count: number) => {
    toast('success', t('deleted-done', { count }));
    onDone();
  };
  return (
    <>
      <Button text={t('batch-tag')} onClick={() => setTagging(true)} />
      <ConfirmPopover
        title={t('delete-selected-question', { count: ids.length })}
        onConfirm={() => remove.mutate(ids, { onSuccess: deleted })}
      >
        <Button
          intent="danger"
          variant="minimal"
          text={t('delete-selected')}
          loading={remove.isPending}
        />
      </ConfirmPopover>
      {isTagging && <TagDialog ids={ids} onDone={onDone} onClose={() => setTagging(false)} />}
    </>
  );
};
