import { Classes } from '@blueprintjs/core';
import { useSyncExternalStore } from 'react';
import { readLocal, writeLocal } from '../shared/local-values.ts';

export type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

const systemTheme = (): Theme =>
  window.matchMedia?.('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

/** The user's choice; before there is one, that of their system. */
const currentTheme = (): Theme => {
  const stored = readLocal('theme-mode');
  return stored === 'dark' || stored === 'light' ? stored : systemTheme();
};

export const applyTheme = (theme: Theme = currentTheme()): void => {
  document.body.classList.toggle(Classes.DARK, theme === 'dark');
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme;
};

export const chooseTheme = (theme: Theme): void => {
  writeLocal('theme-mode', theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
};

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
