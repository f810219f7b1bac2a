import { useEffect, useSyncExternalStore } from 'react';

let shown = '';
const listeners = new Set<() => void>();

const show = (title: string): void => {
  shown = title;
  for (const listener of listeners) listener();
};

/** Names the page in the title of the window while it is open. */
export const usePageTitle = (title: string): void => {
  useEffect(() => {
    show(title);
    return () => show('');
  }, [title]);
};

/** The name of the open page; empty where it has none. */
export const useShownPageTitle = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
