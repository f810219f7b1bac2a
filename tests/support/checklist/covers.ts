import entries from './screens-checklist.json' with { type: 'json' };

export type ChecklistEntry = Readonly<{
  id: string;
  route: string;
  kind: string;
  feature: string;
}>;
/** What the console promises, one line each. An id is `<area>-<number>` and never reused. */
export const checklist: readonly ChecklistEntry[] = entries;

const known = new Set(checklist.map(({ id }) => id));

/**
 * Says, in the first line of a test, which promises of the console the test holds.
 * `npm run checklist` counts them in the sources, so ids are written out as literals.
 * @throws when an id is not on the list
 */
export const covers = (...ids: readonly string[]): void => {
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`not on the checklist: ${unknown.join(', ')}`);
};
