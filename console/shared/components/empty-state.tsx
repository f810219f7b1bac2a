import { NonIdealState } from '@blueprintjs/core';
import type { ReactElement } from 'react';

type Props = Readonly<{
  icon: ReactElement;
  title: string;
  hint?: string;
  action?: ReactElement | undefined;
}>;

/** Shows what is missing and what to do next. */
export const EmptyState = ({ icon, title, hint, action }: Props) => (
  <NonIdealState
    className="empty-state"
    icon={icon}
    iconMuted
    title={title}
    {...(hint && { description: hint })}
    {...(action && { action })}
  />
);
