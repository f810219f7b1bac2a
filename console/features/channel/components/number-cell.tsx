import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { toast } from '../../../shared/toast.ts';

type Props = Readonly<{
  label: string;
  /** Null: nothing that could be shown as one number. */
  value: number | null;
  min: number;
  /** The error for a text that is no whole number. */
  problem: string;
  onSave: (value: number) => void;
}>;

/** A number that is saved when the person leaves it. Blank: unchanged. */
export const NumberCell = ({ label, value, min, problem, onSave }: Props) => {
  const [text, setText] = useState<string | null>(null);
  const save = () => {
    const typed = text?.trim() ?? '';
    setText(null);
    if (typed === '') return;
    if (!/^-?\d+$/.test(typed)) {
      toast('error', problem);
      return;
    }
    const next = Math.max(min, Number(typed));
    if (Number.isSafeInteger(next) && next !== value) onSave(next);
  };
  return (
    <InputGroup
      className="number-cell"
      size="small"
      inputMode="numeric"
      aria-label={label}
      value={text ?? (value === null ? '' : String(value))}
      onValueChange={setText}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
};
