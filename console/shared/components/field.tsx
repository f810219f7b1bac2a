import { FormGroup } from '@blueprintjs/core';
import { type ReactNode, useId } from 'react';

type Props = Readonly<{
  label: string;
  hint?: ReactNode;
  isRequired?: boolean;
  /** Buttons that belong to the field, at the end of the label's line. */
  aside?: ReactNode;
  children: (id: string) => ReactNode;
}>;

/** A labelled field; the child puts the given id on its control. */
export const Field = ({ label, hint, isRequired, aside, children }: Props) => {
  const id = useId();
  return (
    <FormGroup
      label={label}
      labelFor={id}
      {...(isRequired && { labelInfo: '*' })}
      helperText={hint}
      className={aside ? 'field has-aside' : 'field'}
    >
      {aside && <div className="field-aside">{aside}</div>}
      {children(id)}
    </FormGroup>
  );
};
