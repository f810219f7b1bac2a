import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

type Row = Readonly<Record<string, unknown> & { id: number }>;
type Page = Readonly<{ items: readonly Row[] }>;
type Patch = Readonly<Record<string, unknown>>;
/** What a row of one list held before the change. */
type Before = Readonly<{ list: QueryKey; fields: Patch }>;

type Options<Change, Answer> = Readonly<{
  /** Of the lists that hold the row, such as `['token', 'list']`. */
  lists: QueryKey;
  mutationFn: (change: Change) => Promise<Answer>;
  /** The fields that the row will have; nothing where the answer has to be awaited. */
  wanted: (change: Change) => Patch;
  /** The fields that the server reports of the row. */
  answered?: (answer: Answer) => Patch;
}>;

const withFields = (page: Page | undefined, id: number, fields: Patch): Page | undefined =>
  page && {
    ...page,
    items: page.items.map((row) => (row.id === id ? { ...row, ...fields } : row)),
  };

/** Those of `fields` that still are as the change left them: a later one is not undone. */
const unchanged = (row: Row | undefined, fields: Patch, wanted: Patch): Patch =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => row?.[name] === wanted[name]));

/**
 * A switch or a number of one row. Every loaded list shows it at once; when the server refuses it,
 * the row goes back and the refusal is shown as that of every call is.
 */
export const useRowChange = <Change extends Readonly<{ id: number }>, Answer>({
  lists,
  mutationFn,
  wanted,
  answered,
}: Options<Change, Answer>) => {
  const queryClient = useQueryClient();
  const inEveryList = (id: number, fields: Patch) =>
    queryClient.setQueriesData<Page>({ queryKey: lists }, (page) => withFields(page, id, fields));
  return useMutation({
    mutationKey: lists,
    mutationFn,
    onMutate: async (change): Promise<readonly Before[]> => {
      const fields = wanted(change);
      // An answer that is on its way would bring the old row back.
      await queryClient.cancelQueries({ queryKey: lists });
      const before = queryClient
        .getQueriesData<Page>({ queryKey: lists })
        .flatMap(([list, page]) => {
          const row = page?.items.find(({ id }) => id === change.id);
          const names = Object.keys(fields);
          return row === undefined
            ? []
            : [{ list, fields: Object.fromEntries(names.map((name) => [name, row[name]])) }];
        });
      inEveryList(change.id, fields);
      return before;
    },
    onError: (_error, change, before = []) => {
      for (const { list, fields } of before) {
        queryClient.setQueryData<Page>(list, (page) => {
          const row = page?.items.find(({ id }) => id === change.id);
          return withFields(page, change.id, unchanged(row, fields, wanted(change)));
        });
      }
    },
    onSuccess: (answer, { id }) => {
      if (answered) inEveryList(id, answered(answer));
    },
    // Of several changes the last one reads: an earlier answer would show the later ones as not
    // made.
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: lists }) > 1) return;
      return queryClient.invalidateQueries({ queryKey: lists });
    },
  });
};
