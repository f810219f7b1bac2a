import { Button } from '@blueprintjs/core';
import { Edit, Trash } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from './confirm-popover.tsx';

const small = { variant: 'minimal', size: 'small' } as const;

type EditProps = Readonly<{ isDisabled?: boolean; onClick: () => void }>;

export const EditButton = ({ isDisabled = false, onClick }: EditProps) => {
  const { t } = useTranslation('common');
  return (
    <Button
      {...small}
      icon={<Edit />}
      aria-label={t('edit')}
      title={t('edit')}
      disabled={isDisabled}
      onClick={onClick}
    />
  );
};

type SwitchProps = Readonly<{
  isOn: boolean;
  isDisabled?: boolean;
  isSending: boolean;
  onChange: (isOn: boolean) => void;
}>;

export const SwitchButton = ({ isOn, isDisabled = false, isSending, onChange }: SwitchProps) => {
  const { t } = useTranslation('common');
  return (
    <Button
      {...small}
      text={isOn ? t('disable') : t('enable')}
      disabled={isDisabled}
      loading={isSending}
      onClick={() => onChange(!isOn)}
    />
  );
};

type DeleteProps = Readonly<{ question: string; isSending: boolean; onConfirm: () => void }>;

/** Asks first. */
export const DeleteButton = ({ question, isSending, onConfirm }: DeleteProps) => {
  const { t } = useTranslation('common');
  return (
    <ConfirmPopover title={question} onConfirm={onConfirm}>
      <Button
        {...small}
        intent="danger"
        icon={<Trash />}
        aria-label={t('delete')}
        title={t('delete')}
        loading={isSending}
      />
    </ConfirmPopover>
  );
};
