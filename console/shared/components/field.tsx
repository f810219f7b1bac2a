import { FormGroup } from '@blueprintjs/core';
import { type ReactNode, useId } from 'react';

type Props = Readonly<{
  label: string;
  hint?: ReactNode;
  /** What is wrong and what is right, in place of the hint. */
  error?: string | undefined;
  isRequired?: boolean;
  /** Buttons that belong to the field, at the end of the label's line. */
  aside?: ReactNode;
  children: (id: string) => ReactNode;
}>;

/** A labelled field; the child puts the given id on its control. */
export const Field = ({ label, hint, error, isRequired, aside, children }: Props) => {
  const id = useId();
  return (
    <FormGroup
      label={label}
      labelFor={id}
      {...(isRequired && { labelInfo: '*' })}
      helperText={error ? <span id={`${id}-error`}>{error}</span> : hint}
      {...(error && { intent: 'danger' as const })}
      className={aside ? 'field has-aside' : 'field'}
    >
      {aside && <div className="field-aside">{aside}</div>}
      {children(id)}
    </FormGroup>
  );
};
