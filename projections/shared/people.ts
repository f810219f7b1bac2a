/** The actor, as stored in a row. */
export type ActorColumns = Readonly<{ actor_kind: string; actor_id: string }>;
export type ShownActor = { kind: string; id: string; name: string };

const isPerson = ({ actor_kind }: ActorColumns): boolean =>
  actor_kind === 'user' || actor_kind === 'admin';

/** Ids of the people who acted in these rows. */
export const personIds = (rows: readonly ActorColumns[]): number[] => [
  ...new Set(
    rows
      .filter(isPerson)
      .map(({ actor_id }) => Number(actor_id))
      .filter((id) => Number.isSafeInteger(id)),
  ),
];

/** Ordinary users see that an admin acted, never which one. `names` null: the reader is one. */
export const shownActor = (
  row: ActorColumns,
  names: ReadonlyMap<number, string> | null,
): ShownActor => {
  const { actor_kind: kind, actor_id: id } = row;
  if (names === null && kind === 'admin') return { kind, id: '', name: '' };
  return { kind, id, name: isPerson(row) ? (names?.get(Number(id)) ?? '') : '' };
};
