import { useEffect } from 'react';

const drawer = '.tg-drawer';
/** What had the focus before the drawer that is open. */
let opener: HTMLElement | null = null;

/**
 * When the last drawer closes, the focus goes back to what opened it, or to the page where that is
 * gone. One drawer may replace another meanwhile.
 */
export const useReturnFocus = (isOpen: boolean): void => {
  const active = document.activeElement;
  if (isOpen && active instanceof HTMLElement && active !== document.body) {
    if (active.closest(drawer) === null) opener = active;
  }
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      setTimeout(() => {
        if (document.querySelector(`${drawer} form`) !== null) return;
        const target = opener?.isConnected ? opener : document.getElementById('content');
        opener = null;
        target?.focus();
      }, 0);
    };
  }, [isOpen]);
};
