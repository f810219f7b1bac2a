import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { usePageTitle } from '../page-title.ts';

type Props = Readonly<{
  title: string;
  lead?: string;
  isWide?: boolean;
  submitText: string;
  isSending: boolean;
  isDisabled?: boolean;
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
      <form
        className="panel panel-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
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
      </form>
      {props.below}
    </div>
  );
};
