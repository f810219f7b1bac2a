import { lazy, Suspense } from 'react';
import { SafeHtml } from './safe-html.tsx';

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }));

/** What an operator wrote: HTML when it begins with an element, Markdown otherwise. */
export const RichText = ({ text }: Readonly<{ text: string }>) =>
  /^\s*</.test(text) ? (
    <SafeHtml html={text} />
  ) : (
    <Suspense fallback={<p className="plain-text">{text}</p>}>
      <Markdown text={text} />
    </Suspense>
  );
