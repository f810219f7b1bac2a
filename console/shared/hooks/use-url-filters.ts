import { useSearchParams } from 'react-router-dom';

type Filters = Readonly<Record<string, string>>;

/**
 * Filters in the address, so that a view can be sent to a colleague. What equals its default is
 * left out of the address.
 */
export const useUrlFilters = <F extends Filters>(
  defaults: F,
): readonly [F, (changes: Partial<F>) => void] => {
  const [params, setParams] = useSearchParams();
  const entries = Object.keys(defaults).map((key) => [key, params.get(key) ?? defaults[key]]);
  const filters = Object.fromEntries(entries) as F;
  const change = (changes: Partial<F>) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      for (const [key, value] of Object.entries(changes)) {
        if (value === undefined || value === defaults[key]) next.delete(key);
        else next.set(key, String(value));
      }
      return next;
    });
  return [filters, change];
};
