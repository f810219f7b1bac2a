import { useState } from 'react';
import { usePageSize } from './use-page-size.ts';

/** The place in a list. Pages count from 1. */
export type Paging = Readonly<{
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  /** Absent where the size is given. */
  onPageSize?: (size: number) => void;
}>;

type Change = (changes: Readonly<{ p: string }>) => void;

/** The address contains the page as `p`, where anything may be written. */
export const addressPaging = (p: string, change: Change, pageSize: number): Paging => ({
  page: Math.max(1, Number(p) || 1),
  pageSize,
  onPage: (page) => change({ p: String(page) }),
});

/** The same with a size that the user chooses; a new size begins at the first page. */
export const useAddressPaging = (p: string, change: Change): Paging => {
  const [pageSize, setPageSize] = usePageSize();
  return {
    ...addressPaging(p, change, pageSize),
    onPageSize: (size) => {
      setPageSize(size);
      change({ p: '1' });
    },
  };
};

/** For one of several lists, whose page is in no address. */
export const useOwnPaging = (): Paging => {
  const [page, onPage] = useState(1);
  const [pageSize, setPageSize] = usePageSize();
  return {
    page,
    pageSize,
    onPage,
    onPageSize: (size) => {
      setPageSize(size);
      onPage(1);
    },
  };
};
