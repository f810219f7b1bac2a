import { type BodyBudget, createBodyBudget } from './body-budget.ts';

/** Of a budget, one client gets so much at most, and never less than a few bodies of a console. */
const partOfOne = 1 / 16;
const minShareBytes = 1024 * 1024;

export type BodyShares = Readonly<{
  /** The budget as one client sees it. */
  of: (client: string) => BodyBudget;
  /** Over all clients. */
  used: () => number;
}>;

/** A budget that no client can hold all of: see `callerOf` for what one client is. */
export const createBodyShares = (maxBytes: number): BodyShares => {
  const budget = createBodyBudget(maxBytes);
  const maxOfOne = Math.max(minShareBytes, maxBytes * partOfOne);
  const held = new Map<string, number>();
  return {
    of: (client) => ({
      take: (bytes, ofBody) => {
        const now = (held.get(client) ?? 0) + bytes;
        if (now > maxOfOne || !budget.take(bytes, ofBody)) return false;
        held.set(client, now);
        return true;
      },
      give: (bytes) => {
        budget.give(bytes);
        const left = (held.get(client) ?? 0) - bytes;
        if (left > 0) held.set(client, left);
        else held.delete(client);
      },
      used: () => held.get(client) ?? 0,
    }),
    used: budget.used,
  };
};
