import { useCallback, useState } from 'react';

/** Pixels that an element has; null before it is in the page. */
export const useWidth = () => {
  const [width, setWidth] = useState<number | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [width, ref] as const;
};
