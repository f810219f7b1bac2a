import { z } from 'zod';

/** Missing, empty, `NaN` and other unreadable numbers count as "not sent". */
const lenientInt = z.preprocess((value) => {
  const number = Math.trunc(Number(value));
  return value === undefined || value === '' || !Number.isSafeInteger(number) ? 0 : number;
}, z.number().int());

/**
 * Text as sent; the word `null` of an emptied select means no filter. PostgreSQL takes no NUL in a
 * query, so it becomes a sign that matches nothing.
 */
const lenientText = z.preprocess(
  (value) =>
    typeof value === 'string' && value !== 'null' ? value.replaceAll('\0', '\ufffd') : '',
  z.string(),
);
const lenientBool = z.preprocess(
  (value) => ['true', '1', 't', 'T', 'TRUE', 'True'].includes(String(value)),
  z.boolean(),
);

const sizeUpTo = (max: number) =>
  lenientInt.transform((size) => (size <= 0 ? 10 : Math.min(size, max)));
const fromOne = lenientInt.transform((page) => Math.max(1, page));
const fromZero = lenientInt.transform((page) => Math.max(0, page));

/** Pages from 1: users, codes, logs, ledger. An export requests 10,000 rows at once. */
export const pageQuery = z.object({ p: fromOne, page_size: sizeUpTo(10_000) });

export const userSearchQuery = pageQuery.extend({ keyword: lenientText, group: lenientText });
export const redemptionSearchQuery = pageQuery.extend({ keyword: lenientText });
/** `keyword` is the beginning of a trade number or of the provider's; "" and 0: all. */
export const topUpSearchQuery = pageQuery.extend({
  keyword: lenientText,
  status: lenientText,
  user_id: lenientInt,
});

/** Pages from 0, the size is called `size`. */
export const tokenListQuery = z.object({ p: fromZero, size: sizeUpTo(100) });
export const tokenSearchQuery = z.object({ keyword: lenientText, token: lenientText });

/** Pages from 0. */
export const channelListQuery = z.object({
  p: fromZero,
  page_size: sizeUpTo(1_000),
  id_sort: lenientBool,
  tag_mode: lenientBool,
});
export const channelSearchQuery = z.object({
  keyword: lenientText,
  group: lenientText,
  model: lenientText,
  id_sort: lenientBool,
  tag_mode: lenientBool,
});

/**
 * Times are Unix seconds, inclusive; 0 is open. `model_name` supports the wildcards `%` and `_`.
 */
export const logFilterQuery = z.object({
  type: lenientInt,
  start_timestamp: lenientInt,
  end_timestamp: lenientInt,
  username: lenientText,
  token_name: lenientText,
  model_name: lenientText,
  group: lenientText,
  channel: lenientInt,
});
/** A request id or its beginning, of 14 characters or more. */
export const logFindQuery = z.object({ request_id: lenientText });
export const logPageQuery = logFilterQuery.extend(pageQuery.shape);

/** Times are Unix seconds, inclusive. */
export const dataQuery = z.object({
  start_timestamp: lenientInt,
  end_timestamp: lenientInt,
  username: lenientText,
});

/** Times are Unix seconds, inclusive; 0 is open, "" is all. */
export const refusalQuery = dataQuery.extend({
  token_name: lenientText,
  model_name: lenientText,
  reason: lenientText,
  ...pageQuery.shape,
});

/** Pages from 0. Times are Unix seconds, or milliseconds where they are that large; 0 is open. */
export const drawingListQuery = z.object({
  p: fromZero,
  channel_id: lenientInt,
  mj_id: lenientText,
  start_timestamp: lenientInt,
  end_timestamp: lenientInt,
});
/** Pages from 0. Times are Unix seconds; 0 is open. */
export const taskListQuery = z.object({
  p: fromZero,
  channel_id: lenientInt,
  task_id: lenientText,
  platform: lenientText,
  action: lenientText,
  status: lenientText,
  start_timestamp: lenientInt,
  end_timestamp: lenientInt,
});

/** Unix seconds, or a time as ISO-8601; null: not sent, or unreadable. */
const instant = z.preprocess((value) => {
  if (typeof value !== 'string' || value === '') return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.floor(Date.parse(value) / 1_000);
  return Number.isSafeInteger(seconds) ? seconds : null;
}, z.number().int().nullable());

/**
 * `kind` is an event type, "" for all; times are Unix seconds, inclusive. `as_of` shows the account
 * as it was at the end of that second.
 */
export const ledgerQuery = pageQuery.extend({
  as_of: instant,
  kind: lenientText,
  start_timestamp: lenientInt,
  end_timestamp: lenientInt,
});

/** Unix seconds, inclusive. */
export const balancesQuery = z.object({
  start_timestamp: lenientInt,
  end_timestamp: lenientInt,
});

/** "" and 0: all. `actor` and `subject_id` are ids; times are Unix seconds, inclusive. */
export const auditQuery = pageQuery.extend({
  actor: lenientText,
  subject_kind: lenientText,
  subject_id: lenientText,
  type: lenientText,
  start_timestamp: lenientInt,
  end_timestamp: lenientInt,
});
/** `csv` begins with a byte-order mark, for spreadsheets. */
const exportQuery = z.object({ format: z.enum(['csv', 'json']).catch('csv') });

/** The `:id` of a path. */
export const idParams = z.object({ id: z.coerce.number().int().positive() });
export const userIdParams = z.object({ userId: z.coerce.number().int().positive() });
/** An export has the filters of its list. */
export const logExportQuery = logFilterQuery.extend(exportQuery.shape);
export const ledgerExportQuery = ledgerQuery
  .extend(exportQuery.shape)
  .omit({ p: true, page_size: true });
export const auditExportQuery = auditQuery
  .extend(exportQuery.shape)
  .omit({ p: true, page_size: true });
