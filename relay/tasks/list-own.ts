import type { TaskId } from '../../domain/task/events.ts';
import type { ListedTasks, ListTasks } from '../../domain/task/messages.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { callError } from '../protocol/relay-errors.ts';

const requestTimeoutMs = 5_000;
const defaultLimit = 20;
const maxLimit = 100;

const queryOf = ({ req }: Incoming): URLSearchParams => {
  const url = req.url ?? '';
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at));
};

const limitOf = (text: string | null): number => {
  const limit = Number(text ?? defaultLimit);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, maxLimit) : defaultLimit;
};

/** No task has this id: there is no page before or behind an unknown one. */
const noTask: TaskId = '';

type Wanted = Readonly<{
  platform: ListTasks['platform'];
  /** Absent: whatever was requested. */
  action?: string;
  caller: Caller;
  /** The task behind an id that a caller names. */
  taskOf: (id: string) => TaskId | null;
}>;

const twoCursors = callError(
  'invalid_value',
  'Name after_id or before_id, not both of them',
  'before_id',
);

/**
 * The caller's own tasks, as `limit`, `order`, and `after` or Anthropic's `after_id` and
 * `before_id` in the query request them.
 */
export const listOwn = async (
  core: RelayCore,
  incoming: Incoming,
  { platform, action, caller, taskOf }: Wanted,
): Promise<ListedTasks | ApiError> => {
  const query = queryOf(incoming);
  const after = query.get('after') ?? query.get('after_id');
  const before = query.get('before_id');
  if (after !== null && before !== null) return twoCursors;
  return core.bus.request<ListTasks, ListedTasks>(
    'task.list',
    {
      platform,
      userId: caller.account.userId,
      ...(action === undefined ? {} : { action }),
      limit: limitOf(query.get('limit')),
      after: after === null ? null : (taskOf(after) ?? noTask),
      ...(before === null ? {} : { before: taskOf(before) ?? noTask }),
      order: query.get('order') === 'asc' ? 'asc' : 'desc',
    },
    { timeoutMs: requestTimeoutMs },
  );
};

/** A page as OpenAI and Anthropic write it. */
export const pageOf = (
  data: readonly object[],
  ids: readonly string[],
  hasMore: boolean,
): object => ({
  object: 'list',
  data,
  first_id: ids[0] ?? null,
  last_id: ids.at(-1) ?? null,
  has_more: hasMore,
});
