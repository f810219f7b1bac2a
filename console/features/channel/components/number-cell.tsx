import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';

type Props = Readonly<{
  label: string;
  value: number;
  min: number;
  onSave: (value: number) => void;
}>;

/** A number that is saved when the person leaves it. Blank or unreadable: as before. */
export const NumberCell = ({ label, value, min, onSave }: Props) => {
  const [text, setText] = useState<string | null>(null);
  const save = () => {
    const next = Math.max(min, Math.trunc(Number(text)));
    if (text !== null && text.trim() !== '' && Number.isSafeInteger(next) && next !== value) {
      onSave(next);
    }
    setText(null);
  };
  return (
    <InputGroup
      className="number-cell"
      size="small"
      type="number"
      min={min}
      aria-label={label}
      value={text ?? String(value)}
      onValueChange={setText}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
};
