import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import type { FormProblem } from '../form-problem.ts';
import { usePageTitle } from '../page-title.ts';
import { ProblemForm } from './problem-form.tsx';

type Props = Readonly<{
  title: string;
  lead?: string;
  isWide?: boolean;
  submitText: string;
  isSending: boolean;
  isDisabled?: boolean;
  /** Shown at the field that it names. */
  problem?: FormProblem | null;
  onSubmit: () => void;
  /** The fields. */
  children: ReactNode;
  /** Other ways on, under the button. */
  footer?: ReactNode;
  /** Outside of the card. */
  below?: ReactNode;
}>;

/** The one card of a page that is there for its form: signing in, a new password, the setup. */
export const SignForm = (props: Props) => {
  usePageTitle(props.title);
  return (
    <div className={`sign-card ${props.isWide ? 'is-wide' : ''}`}>
      <ProblemForm
        className="panel panel-body"
        problem={props.problem ?? null}
        onSubmit={props.onSubmit}
      >
        <h1>{props.title}</h1>
        {props.lead && <p className="lead">{props.lead}</p>}
        {props.children}
        <Button
          type="submit"
          intent="primary"
          size="large"
          fill
          text={props.submitText}
          loading={props.isSending}
          disabled={props.isDisabled ?? false}
        />
        {props.footer}
      </ProblemForm>
      {props.below}
    </div>
  );
};
