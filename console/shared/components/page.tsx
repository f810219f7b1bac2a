import type { ReactNode } from 'react';
import { usePageTitle } from '../page-title.ts';

type Props = Readonly<{
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}>;

/** Heading, one line on the purpose of the page, and its main actions. */
export const Page = ({ title, lead, actions, children }: Props) => {
  usePageTitle(title);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
};
