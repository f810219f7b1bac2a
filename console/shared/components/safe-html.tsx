import { lazy, Suspense } from 'react';

const CleanHtml = lazy(async () => ({ default: (await import('./clean-html.tsx')).CleanHtml }));

/** Fetches what cleans HTML with the first piece that a page shows. */
export const SafeHtml = ({ html }: Readonly<{ html: string }>) => (
  <Suspense fallback={<div className="operator-html" aria-busy="true" />}>
    <CleanHtml html={html} />
  </Suspense>
);
