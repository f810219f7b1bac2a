/** Calls that the product does not serve yet, and why; absent members mean every client, column or cell. */
const gaps: readonly Readonly<{
  client?: string;
  columns?: readonly string[];
  cell?: string;
  why: string;
}>[] = [];

/** Money is never a gap. */
export const gapOf = (
  at: Readonly<{ client: string; column: string; cell: string }>,
): string | undefined =>
  at.cell === 'billing' || at.cell === 'rules'
    ? undefined
    : gaps.find(
        ({ client = at.client, columns, cell = at.cell }) =>
          client === at.client && cell === at.cell && (columns?.includes(at.column) ?? true),
      )?.why;
