import { useEffect, useState } from 'react';

/** Seconds left until something may be requested again, and the call that starts them. */
export const useCountdown = (from: number): readonly [number, () => void] => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return [seconds, () => setSeconds(from)];
};
