import {
  cacheNameOf,
  readCacheData,
  readCacheProperties,
  taskOfCacheName,
} from '../../../domain/task/cache.ts';
import type { FoundTask, ListedTasks, ListTasks } from '../../../domain/task/messages.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { readBody } from '../../admission/examine-body.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { sendJson } from '../../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import type { CacheContext } from '../../providers/shared/gemini/caches.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { removeTask } from '../own-task.ts';
import { answerOf, isGone, successOf } from '../provider-reply.ts';
import {
  cacheChannelGone,
  cacheNotFound,
  cacheObject,
  callCaches,
  maxLifetimeOf,
  type OwnCache,
  ownCache,
  placeOf,
  tooLong,
} from './own-cache.ts';
import { readCacheChange } from './read-order.ts';

type Named = Readonly<{ caller: Caller; name: string }>;

const busTimeoutMs = 5_000;
const callTimeoutMs = 30_000;
const defaultPage = 50;
const maxPage = 100;
/** Caches of one list that are requested from the provider at once. */
const atOnce = 8;

const fail = (incoming: Incoming, error: ApiError): void =>
  sendError(incoming.res, error, incoming.requestId);

/** Google reports an expired cache like a foreign one. */
const isLost = (reply: HttpReply): boolean => {
  if (isGone(reply)) return true;
  return reply.status === 403 && /not found/i.test(reply.body.toString('utf8'));
};

type CacheCall =
  | Readonly<{ method: 'GET' | 'DELETE' }>
  | Readonly<{ method: 'PATCH'; query: string; body: Buffer }>;

/** The provider's description of a cache; 'gone': it has it no longer. */
const ask = async (
  core: RelayCore,
  { task }: OwnCache,
  call: CacheCall,
): Promise<JsonObject | ApiError | 'gone'> => {
  const place = placeOf(core, task);
  if (place === null) return cacheChannelGone;
  const { query, body } = call.method === 'PATCH' ? call : { query: '', body: null };
  const { adapter, channel } = place;
  const at = (context: CacheContext) => adapter.one(context, task.upstreamId);
  const asked = { method: call.method, at, query, body, timeoutMs: callTimeoutMs };
  const reply = await callCaches(core, channel, asked);
  if (typeof reply !== 'string' && !isApiError(reply) && isLost(reply)) return 'gone';
  const done = successOf(channel, reply);
  return isApiError(done) ? done : (answerOf(done) ?? {});
};

const isOver = (core: RelayCore, { report }: FoundTask): boolean => {
  const { expiresAt } = readCacheData(report.data);
  return Date.parse(expiresAt) < core.clock().getTime();
};

/** The cache as its owner is shown it; null: the provider has it no longer. Expired ones leave the list. */
const shown = async (core: RelayCore, own: OwnCache): Promise<JsonObject | ApiError | null> => {
  const answer = await ask(core, own, { method: 'GET' });
  if (answer !== 'gone') return isApiError(answer) ? answer : cacheObject(own, answer);
  if (isOver(core, own.task)) await removeTask(core, own.task);
  return null;
};

/** GET /v1beta/cachedContents/{name} */
export const serveCache = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, name }: Named,
): Promise<void> => {
  const own = await ownCache(core, caller, name);
  const found = own === null ? null : await shown(core, own);
  if (found === null) fail(incoming, cacheNotFound);
  else if (isApiError(found)) fail(incoming, found);
  else sendJson(incoming, 200, found);
};

const queryOf = ({ req }: Incoming): URLSearchParams =>
  new URL(req.url ?? '/', 'http://localhost').searchParams;

const pageSizeOf = (text: string | null): number => {
  const size = Number(text ?? defaultPage);
  return Number.isInteger(size) && size >= 1 ? Math.min(size, maxPage) : defaultPage;
};

const listed = (core: RelayCore, incoming: Incoming, caller: Caller): Promise<ListedTasks> => {
  const query = queryOf(incoming);
  const token = query.get('pageToken') ?? '';
  const { userId } = caller.account;
  return core.bus.request<ListTasks, ListedTasks>(
    'task.list',
    {
      platform: 'cache',
      userId,
      limit: pageSizeOf(query.get('pageSize')),
      after: token === '' ? null : (taskOfCacheName(token) ?? ''),
      order: 'desc',
    },
    { timeoutMs: busTimeoutMs },
  );
};

/** Those of channels that do not answer now are left out, as those that have expired. */
const shownOf = async (
  core: RelayCore,
  tasks: readonly FoundTask[],
): Promise<readonly JsonObject[]> => {
  const caches: JsonObject[] = [];
  for (let at = 0; at < tasks.length; at += atOnce) {
    const asked = tasks.slice(at, at + atOnce).map((task) => {
      const properties = readCacheProperties(task.report.properties);
      return properties === null ? null : shown(core, { task, properties });
    });
    for (const found of await Promise.all(asked)) {
      if (found !== null && !isApiError(found)) caches.push(found);
    }
  }
  return caches;
};

/** GET /v1beta/cachedContents: the caller's own, newest first. */
export const serveCaches = async (
  core: RelayCore,
  incoming: Incoming,
  caller: Caller,
): Promise<void> => {
  const { tasks, hasMore } = await listed(core, incoming, caller);
  const cachedContents = await shownOf(core, tasks);
  const last = tasks.at(-1);
  const nextPageToken = hasMore && last !== undefined ? cacheNameOf(last.taskId) : undefined;
  sendJson(incoming, 200, { cachedContents, nextPageToken });
};

/** A cache is kept for no longer than one that is made now, counted from its own creation. */
const lifetimeProblem = (core: RelayCore, { task }: OwnCache, seconds: number): ApiError | null => {
  const place = placeOf(core, task);
  if (place === null) return cacheChannelGone;
  const maxSeconds = maxLifetimeOf(place.channel);
  const ageSeconds = (core.clock().getTime() - task.submittedMs) / 1_000;
  return ageSeconds + seconds > maxSeconds + 1 ? tooLong(maxSeconds) : null;
};

const maskQuery = (incoming: Incoming): string => {
  const mask = queryOf(incoming).get('updateMask');
  return mask === null ? '' : `?${new URLSearchParams({ updateMask: mask })}`;
};

/** PATCH /v1beta/cachedContents/{name}: how long it is kept. */
export const changeCache = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, name, raw }: Named & Readonly<{ raw: Buffer }>,
): Promise<void> => {
  const given = readBody(raw, 'gemini');
  if (isApiError(given)) return fail(incoming, given);
  const seconds = readCacheChange(given.body, core.clock().getTime());
  if (isApiError(seconds)) return fail(incoming, seconds);
  const own = await ownCache(core, caller, name);
  if (own === null) return fail(incoming, cacheNotFound);
  const problem = lifetimeProblem(core, own, seconds);
  if (problem !== null) return fail(incoming, problem);
  const { body } = given;
  const answer = await ask(core, own, { method: 'PATCH', query: maskQuery(incoming), body });
  if (answer === 'gone') fail(incoming, cacheNotFound);
  else if (isApiError(answer)) fail(incoming, answer);
  else sendJson(incoming, 200, cacheObject(own, answer));
};

/** DELETE /v1beta/cachedContents/{name}. Nothing is paid back. */
export const removeCache = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, name }: Named,
): Promise<void> => {
  const own = await ownCache(core, caller, name);
  if (own === null) return fail(incoming, cacheNotFound);
  const answer = await ask(core, own, { method: 'DELETE' });
  if (isApiError(answer) && answer !== cacheChannelGone) return fail(incoming, answer);
  await removeTask(core, own.task);
  sendJson(incoming, 200, {});
};
