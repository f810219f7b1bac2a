import { InputGroup } from '@blueprintjs/core';
import { Field } from '../../../shared/components/field.tsx';

type TextProps = Readonly<{
  label: string;
  value: string;
  onChange: (text: string) => void;
  isSecret?: boolean;
  hint?: string;
  maxLength: number;
  name: string;
}>;

export const TextField = ({
  label,
  value,
  onChange,
  isSecret,
  hint,
  maxLength,
  name,
}: TextProps) => (
  <Field label={label} hint={hint} name={name}>
    {(id) => (
      <InputGroup
        id={id}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        maxLength={maxLength}
        value={value}
        onValueChange={onChange}
      />
    )}
  </Field>
);
