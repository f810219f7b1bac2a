import { Button, Dialog, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { toast } from '../../../shared/toast.ts';
import { useDeleteChannels, useDeleteDisabled, useTagChannels, useTestAll } from '../api/batch.ts';

type Props = Readonly<{ ids: readonly number[]; onDone: () => void }>;

const TagDialog = ({ ids, onDone, onClose }: Props & Readonly<{ onClose: () => void }>) => {
  const { t } = useTranslation(['channel', 'common']);
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
      <DialogFooter
        actions={
          <>
            <Button text={t('common:cancel')} onClick={onClose} />
            <Button
              intent="primary"
              text={t('common:ok')}
              loading={save.isPending}
              onClick={submit}
            />
          </>
        }
      />
    </Dialog>
  );
};

/** Acts over many channels; those on selected ones are there when some are selected. */
export const BatchBar = ({ ids, onDone }: Props) => {
  const { t } = useTranslation(['channel', 'common']);
  const [isTagging, setTagging] = useState(false);
  const testAll = useTestAll();
  const deleteDisabled = useDeleteDisabled();
  const remove = useDeleteChannels();
  const isIdle = ids.length === 0;
  const deleted = (count: number) => {
    toast('success', t('deleted-done', { count }));
    onDone();
  };
  return (
    <>
      <ConfirmPopover
        title={t('test-all-question')}
        hint={t('test-all-hint')}
        onConfirm={() =>
          testAll.mutate(undefined, { onSuccess: () => toast('info', t('test-all-done')) })
        }
      >
        <Button text={t('test-all')} loading={testAll.isPending} />
      </ConfirmPopover>
      <ConfirmPopover
        title={t('delete-disabled-question')}
        onConfirm={() => deleteDisabled.mutate(undefined, { onSuccess: deleted })}
      >
        <Button text={t('delete-disabled')} loading={deleteDisabled.isPending} />
      </ConfirmPopover>
      <ConfirmPopover
        title={t('delete-selected-question', { count: ids.length })}
        onConfirm={() => remove.mutate(ids, { onSuccess: deleted })}
      >
        <Button
          intent="danger"
          variant="minimal"
          text={t('delete-selected')}
          disabled={isIdle}
          loading={remove.isPending}
        />
      </ConfirmPopover>
      <Button text={t('batch-tag')} disabled={isIdle} onClick={() => setTagging(true)} />
      {isTagging && <TagDialog ids={ids} onDone={onDone} onClose={() => setTagging(false)} />}
    </>
  );
};
