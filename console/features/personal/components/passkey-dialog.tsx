import { Callout, Dialog, DialogBody, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxPasskeyNameLength } from '../../../../command-api/contract/limits.ts';
import { errorText } from '../../../shared/api/report-error.ts';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import {
  type Enrolled,
  type ListedPasskey,
  PasskeyNotMade,
  useAddPasskey,
  useRenamePasskey,
} from '../api/second-factors.ts';

type FormProps = Readonly<{
  title: string;
  lead?: string;
  submitText: string;
  name: string;
  isSending: boolean;
  problem: string | null;
  onSubmit: (name: string) => void;
  onClose: () => void;
}>;

const NameDialog = (props: FormProps) => {
  const { t } = useTranslation('factor');
  const [name, setName] = useState(props.name);
  const [isMissing, setMissing] = useState(false);
  const problem = isMissing ? t('passkey-name-missing') : props.problem;
  return (
    <Dialog isOpen onClose={props.onClose} title={props.title} className="tg-dialog">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') setMissing(true);
          else props.onSubmit(name.trim());
        }}
      >
        <DialogBody>
          {props.lead && <p className="proof-lead">{props.lead}</p>}
          <Field label={t('passkey-name')} hint={t('passkey-name-hint')}>
            {(id) => (
              <InputGroup
                id={id}
                size="large"
                autoFocus
                maxLength={maxPasskeyNameLength}
                value={name}
                onValueChange={(text) => {
                  setName(text);
                  setMissing(false);
                }}
              />
            )}
          </Field>
          {problem && (
            <Callout intent="danger" role="alert">
              {problem}
            </Callout>
          )}
        </DialogBody>
        <DialogButtons
          text={props.submitText}
          isSending={props.isSending}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  );
};

type AddProps = Readonly<{ onDone: (enrolled: Enrolled) => void; onClose: () => void }>;

export const AddPasskeyDialog = ({ onDone, onClose }: AddProps) => {
  const { t } = useTranslation('factor');
  const { t: common } = useTranslation('common');
  const add = useAddPasskey();
  const problem =
    add.error instanceof PasskeyNotMade
      ? t('passkey-not-made')
      : add.error && errorText(add.error, common);
  return (
    <NameDialog
      title={t('passkey-add')}
      lead={t('passkey-add-lead')}
      submitText={t('passkey-create')}
      name=""
      isSending={add.isPending}
      problem={problem}
      onSubmit={(name) => add.mutate(name, { onSuccess: onDone })}
      onClose={onClose}
    />
  );
};

type RenameProps = Readonly<{ passkey: ListedPasskey; onClose: () => void }>;

export const RenamePasskeyDialog = ({ passkey, onClose }: RenameProps) => {
  const { t } = useTranslation('factor');
  const rename = useRenamePasskey();
  return (
    <NameDialog
      title={t('passkey-rename')}
      submitText={t('save')}
      name={passkey.name}
      isSending={rename.isPending}
      problem={null}
      onSubmit={(name) => rename.mutate({ id: passkey.id, name }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
};
