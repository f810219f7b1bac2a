import { Button, InputGroup } from '@blueprintjs/core';
import { EyeOff, EyeOpen } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{
  id: string;
  value: string;
  onChange: (value: string) => void;
  autoComplete: 'current-password' | 'new-password';
  placeholder?: string;
}>;

export const PasswordInput = ({ id, value, onChange, autoComplete, placeholder }: Props) => {
  const { t } = useTranslation('account');
  const [isShown, setShown] = useState(false);
  return (
    <InputGroup
      id={id}
      size="large"
      type={isShown ? 'text' : 'password'}
      autoComplete={autoComplete}
      value={value}
      onValueChange={onChange}
      {...(placeholder && { placeholder })}
      rightElement={
        <Button
          variant="minimal"
          icon={isShown ? <EyeOff /> : <EyeOpen />}
          aria-label={isShown ? t('hide-password') : t('show-password')}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  );
};
