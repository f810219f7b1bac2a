import { useMemo } from 'react';
import { sanitiseHtml } from '../safe-html.ts';

export const CleanHtml = ({ html }: Readonly<{ html: string }>) => {
  const clean = useMemo(() => sanitiseHtml(html), [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the line above leaves nothing that runs
  return <div className="operator-html" dangerouslySetInnerHTML={{ __html: clean }} />;
};
