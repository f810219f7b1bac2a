import { Tag } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import type { TagColour } from '../format/colour.ts';

type Props = Readonly<{ colour: TagColour; children: ReactNode; title?: string }>;

/** A tag in one of the fifteen colours. */
export const ToneTag = ({ colour, children, title }: Props) => (
  <Tag className={`tone tone-${colour}`} round minimal {...(title && { htmlTitle: title })}>
    {children}
  </Tag>
);
