import type { ReactNode } from 'react';
import { type FormProblem, FormProblemContext, useProblemFocus } from '../form-problem.ts';

type Props = Readonly<{
  /** Shown at the field that it names. */
  problem: FormProblem | null;
  className?: string;
  onSubmit: () => void;
  children: ReactNode;
}>;

/** A form that shows what is wrong at the field, and moves the focus there. */
export const ProblemForm = ({ problem, className, onSubmit, children }: Props) => (
  <form
    ref={useProblemFocus(problem)}
    noValidate
    {...(className !== undefined && { className })}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    <FormProblemContext value={problem}>{children}</FormProblemContext>
  </form>
);
