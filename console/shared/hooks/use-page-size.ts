import { useState } from 'react';
import { readLocal, writeLocal } from '../local-values.ts';

export const pageSizes = [10, 20, 50, 100] as const;
const defaultSize = 10;

export const storedPageSize = (): number => {
  const size = Number(readLocal('page-size'));
  return pageSizes.some((known) => known === size) ? size : defaultSize;
};

/** One page size for all lists, kept in the browser. */
export const usePageSize = (): readonly [number, (size: number) => void] => {
  const [size, setSize] = useState(storedPageSize);
  const change = (next: number) => {
    writeLocal('page-size', String(next));
    setSize(next);
  };
  return [size, change];
};
