import { useSyncExternalStore } from 'react';

const query = '(max-width: 600px)';

const matches = () => typeof window.matchMedia === 'function' && window.matchMedia(query).matches;

const subscribe = (listener: () => void) => {
  if (typeof window.matchMedia !== 'function') return () => undefined;
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};

/** True on a phone. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, matches, () => false);
