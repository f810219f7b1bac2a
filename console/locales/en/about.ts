import type { English } from '../english.ts';
import type { about as zh } from '../zh/about.ts';

export const about: English<typeof zh> = {
  title: 'About',
  empty: 'Nothing is said about this site yet',
  'empty-hint': 'Write it under Settings, Other; HTML or Markdown.',
};
