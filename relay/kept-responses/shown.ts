import type { JsonObject } from '../protocol/canonical.ts';

const defaultLimit = 20;
const maxLimit = 100;

const limitOf = (query: URLSearchParams): number => {
  const limit = Number(query.get('limit') ?? defaultLimit);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, maxLimit) : defaultLimit;
};

/** A page of input items, newest first unless the caller requests the other order. */
export const inputItemList = (input: readonly JsonObject[], query: URLSearchParams): JsonObject => {
  const named = input.map((item, at) => ({ type: 'message', id: `item_${at + 1}`, ...item }));
  const ordered = query.get('order') === 'asc' ? named : named.toReversed();
  const after = ordered.findIndex(({ id }) => id === query.get('after')) + 1;
  const limit = limitOf(query);
  const data = ordered.slice(after, after + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: ordered.length > after + limit,
  };
};
