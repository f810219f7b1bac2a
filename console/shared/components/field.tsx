import { FormGroup } from '@blueprintjs/core';
import { type ReactNode, useContext, useEffect, useId } from 'react';
import { FormProblemContext } from '../form-problem.ts';

type Props = Readonly<{
  label: string;
  hint?: ReactNode;
  /** Which problem of the form around it belongs to this field. */
  name?: string;
  /** What is wrong and what is right, in place of the hint. */
  error?: string | undefined;
  isRequired?: boolean;
  /** Buttons that belong to the field, at the end of the label's line. */
  aside?: ReactNode;
  children: (id: string) => ReactNode;
}>;

/** The control announces its problem to assistive technology. */
const useInvalid = (id: string, isInvalid: boolean): void => {
  useEffect(() => {
    const control = document.getElementById(id);
    if (!isInvalid || control === null) return;
    control.setAttribute('aria-invalid', 'true');
    control.setAttribute('aria-describedby', `${id}-error`);
    return () => {
      control.removeAttribute('aria-invalid');
      control.removeAttribute('aria-describedby');
    };
  }, [id, isInvalid]);
};

/** A labelled field; the child puts the given id on its control. */
export const Field = ({ label, hint, name, error, isRequired, aside, children }: Props) => {
  const id = useId();
  const problem = useContext(FormProblemContext);
  const shown = error ?? (name !== undefined && problem?.field === name ? problem.text : undefined);
  useInvalid(id, shown !== undefined);
  return (
    <FormGroup
      label={label}
      labelFor={id}
      {...(isRequired && { labelInfo: '*' })}
      helperText={
        shown === undefined ? (
          hint
        ) : (
          <span id={`${id}-error`} className="error-text">
            {shown}
          </span>
        )
      }
      {...(shown !== undefined && { intent: 'danger' as const })}
      className={aside ? 'field has-aside' : 'field'}
    >
      {aside && <div className="field-aside">{aside}</div>}
      {children(id)}
    </FormGroup>
  );
};
