import { InputGroup } from '@blueprintjs/core';
import { fromLocalInput, toLocalInput } from '../format/time.ts';
import { Field } from './field.tsx';

type Props = Readonly<{
  label: string;
  /** Unix seconds as text, "" for none: so filters stand in an address. */
  value: string;
  onChange: (value: string) => void;
}>;

/** An instant in the time zone of the browser. */
export const TimeField = ({ label, value, onChange }: Props) => (
  <Field label={label}>
    {(id) => (
      <InputGroup
        id={id}
        type="datetime-local"
        value={value === '' ? '' : toLocalInput(Number(value))}
        onValueChange={(text) => onChange(String(fromLocalInput(text) ?? ''))}
      />
    )}
  </Field>
);
