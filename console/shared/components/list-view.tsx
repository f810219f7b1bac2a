import type { UseQueryResult } from '@tanstack/react-query';
import type { Paging } from '../hooks/use-paging.ts';
import type { TableProps } from './columns.ts';
import { DataTable } from './data-table.tsx';
import { LoadFailed } from './load-failed.tsx';
import { Pager } from './pager.tsx';

type Props<Row> = Omit<TableProps<Row>, 'isBusy'> &
  Readonly<{
    /** Source of the rows. */
    query: UseQueryResult<unknown>;
    paging: Paging;
    /** Absent or null where the server does not count. */
    total: number | null | undefined;
    /** Rows that count for the pages, where that is not each of them. */
    counted?: number;
  }>;

/** More rows than these leave the window anyway. */
const maxExpected = 10;

/** The rows of one page with the way to the others, or why there are none. */
export const ListView = <Row,>({ query, paging, total, counted, ...table }: Props<Row>) => {
  const { rows } = table;
  if (query.isError && !rows) {
    return <LoadFailed error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <DataTable
        {...table}
        isBusy={query.isFetching && !query.isPending}
        expectedRows={Math.min(paging.pageSize, maxExpected)}
      />
      <Pager {...paging} shown={counted ?? rows?.length ?? null} total={total ?? null} />
    </>
  );
};
