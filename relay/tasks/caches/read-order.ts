import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import { parseJson } from '../../protocol/json.ts';
import { callError } from '../../protocol/relay-errors.ts';
import { type Member, scanMembers } from '../../protocol/scan-body.ts';
import { shortText } from '../../protocol/splice.ts';

/** Google's servers take both spellings of a member. */
const spellings: ReadonlyMap<string, string> = new Map([
  ['system_instruction', 'systemInstruction'],
  ['tool_config', 'toolConfig'],
  ['expire_time', 'expireTime'],
  ['display_name', 'displayName'],
]);
const orderMembers: ReadonlySet<string> = new Set([
  ...['model', 'contents', 'systemInstruction', 'tools', 'toolConfig', 'ttl', 'expireTime'],
  'displayName',
]);
const changeMembers: ReadonlySet<string> = new Set(['ttl', 'expireTime']);

const maxShortBytes = 512;
const wholeSeconds = /^(\d{1,9})(?:\.\d{1,9})?s$/;

type Members = ReadonlyMap<string, Member>;

const membersOf = (body: Buffer, taken: ReadonlySet<string>): Members | ApiError => {
  const members = new Map<string, Member>();
  for (const [name, member] of scanMembers(body) ?? []) {
    const own = spellings.get(name) ?? name;
    if (!taken.has(own)) {
      return callError(
        'unsupported_parameter',
        `Parameter ${name} is not offered for caches`,
        name,
      );
    }
    if (members.has(own)) return callError('invalid_value', `Name ${own} once`, own);
    members.set(own, member);
  }
  return members;
};

const textOf = (body: Buffer, member: Member | undefined): unknown =>
  member === undefined ? undefined : (parseJson(shortText(body, member, maxShortBytes)) ?? null);

/** Seconds from now for which a cache is requested; null: the provider's default. */
const lifetimeOf = (body: Buffer, members: Members, nowMs: number): number | null | ApiError => {
  const ttl = textOf(body, members.get('ttl'));
  const until = textOf(body, members.get('expireTime'));
  if (ttl !== undefined && until !== undefined) {
    return callError('invalid_value', 'Name ttl or expireTime, not both of them', 'ttl');
  }
  if (ttl !== undefined) {
    const [, seconds] = wholeSeconds.exec(String(ttl)) ?? [];
    if (seconds === undefined) return callError('invalid_value', 'ttl is such as "3600s"', 'ttl');
    return Number(seconds) + 1;
  }
  if (until === undefined) return null;
  const atMs = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  return Number.isNaN(atMs)
    ? callError('invalid_value', 'expireTime is a date such as 2026-01-31T12:00:00Z', 'expireTime')
    : Math.ceil((atMs - nowMs) / 1_000);
};

/** `lifetimeSeconds` null: the caller leaves it to the provider. */
export type CacheOrder = Readonly<{ model: string; lifetimeSeconds: number | null }>;

/** The members of an order without the contents, which are long and sent unchanged. */
export const readCacheOrder = (body: Buffer, nowMs: number): CacheOrder | ApiError => {
  const members = membersOf(body, orderMembers);
  if (isApiError(members)) return members;
  const name = textOf(body, members.get('model'));
  const model = typeof name === 'string' ? name.replace(/^models\//, '') : '';
  if (model === '') return callError('missing_model', 'A cache must name its model', 'model');
  const lifetimeSeconds = lifetimeOf(body, members, nowMs);
  return isApiError(lifetimeSeconds) ? lifetimeSeconds : { model, lifetimeSeconds };
};

/** For how long a cache shall be kept from now on. */
export const readCacheChange = (body: Buffer, nowMs: number): number | ApiError => {
  const members = membersOf(body, changeMembers);
  if (isApiError(members)) return members;
  const lifetimeSeconds = lifetimeOf(body, members, nowMs);
  return (
    lifetimeSeconds ??
    callError('invalid_value', 'Of a cache only ttl or expireTime can be changed', 'ttl')
  );
};
