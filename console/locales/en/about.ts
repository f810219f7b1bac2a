import type { about as zh } from '../zh/about.ts';

export const about: Record<keyof typeof zh, string> = {
  title: 'About',
  empty: 'Nothing is said about this site yet',
  'empty-hint': 'An administrator can write it under Settings, Other; HTML or Markdown.',
};
