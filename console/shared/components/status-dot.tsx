import type { ReactNode } from 'react';

export type DotTone = 'good' | 'warn' | 'bad' | 'idle' | 'info';
type Props = Readonly<{ tone: DotTone; children: ReactNode; title?: string }>;

/** A state as a dot and a word. */
export const StatusDot = ({ tone, children, title }: Props) => (
  <span className={`status-dot dot-${tone}`} {...(title && { title })}>
    {children}
  </span>
);
