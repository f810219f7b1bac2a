import { type ReactNode, useEffect, useRef, useState } from 'react';

type Props = Readonly<{
  /** Pixels kept free until the content is there. */
  height: number;
  children: ReactNode;
}>;

/** For what is far down a page: neither its code nor its data are loaded before they are needed. */
export const WhenNear = ({ height, children }: Props) => {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (isNear || place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return isNear ? children : <div ref={place} style={{ minHeight: height }} />;
};
