import type { ChannelId } from '../../../domain/shared/ids.ts';
import { readCacheData } from '../../../domain/task/cache.ts';
import { groupOf } from '../../admission/access.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { Protocol } from '../../protocol/caller-protocol.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, parseJson, parseObject, without } from '../../protocol/json.ts';
import type { ScannedBody } from '../../protocol/normalise.ts';
import { callError, relayError } from '../../protocol/relay-errors.ts';
import { type Member, scanMembers } from '../../protocol/scan-body.ts';
import {
  appendMembers,
  type Edit,
  replaceValue,
  shortText,
  splice,
  valueText,
} from '../../protocol/splice.ts';
import { cacheChannelGone, cacheNotFound, ownCache, placeOf } from './own-cache.ts';

const spellings = ['cachedContent', 'cached_content'] as const;
const maxNameBytes = 512;

const cachesAway: ApiError = relayError('caches_unavailable');
const namedTwice = callError('invalid_value', 'Name one cached content, once', 'cachedContent');
const notAName = callError('invalid_value', 'cachedContent must be a name', 'cachedContent');

/** A cache that a call names. */
export type NamedCache = Readonly<{
  name: string;
  /** The call with the provider's name of it. */
  withName: (upstreamName: string) => Buffer;
}>;

/** Quick, and true for some calls that name none: the hot path checks every body. */
const mayNameCache = ({ scan }: ScannedBody, protocol: Protocol): boolean =>
  spellings.some((name) => scan.members[name] !== undefined) ||
  (protocol === 'openai' && scan.members.extra_body !== undefined);

type Found = Readonly<{ value: unknown; edits: (json: string) => readonly Edit[] }>;

const renamed = ({ keyStart, valueEnd }: Member, json: string): Edit => ({
  start: keyStart,
  end: valueEnd,
  text: `"cachedContent":${json}`,
});

/** Where OpenAI's protocol has words of Google's own: `extra_body.google`. */
const wrappedIn = ({ body, scan }: ScannedBody, member: Member): readonly Found[] => {
  const extra = parseObject(valueText(body, member)) ?? {};
  const google: JsonObject = objectAt(extra, 'google');
  return spellings
    .filter((name) => google[name] !== undefined)
    .map((name) => ({
      value: google[name],
      edits: (json) => [
        replaceValue(member, JSON.stringify({ ...extra, google: without(google, [name]) })),
        appendMembers({ close: scan.close, empty: false }, [['cachedContent', json]]),
      ],
    }));
};

const foundIn = (given: ScannedBody, protocol: Protocol): readonly Found[] => {
  const { body } = given;
  const members = scanMembers(body);
  const top = spellings.flatMap((name): readonly Found[] => {
    const member = members?.get(name);
    if (member === undefined) return [];
    const value = parseJson(shortText(body, member, maxNameBytes)) ?? '';
    return [{ value, edits: (json) => [renamed(member, json)] }];
  });
  const wrapper = protocol === 'openai' ? members?.get('extra_body') : undefined;
  return wrapper === undefined ? top : [...top, ...wrappedIn(given, wrapper)];
};

/** The cache that a call continues; null: it names none. */
export const namedCache = (
  given: ScannedBody,
  protocol: Protocol,
): NamedCache | ApiError | null => {
  if (!mayNameCache(given, protocol)) return null;
  const { body } = given;
  const [found, ...more] = foundIn(given, protocol);
  if (found === undefined) return null;
  if (more.length > 0) return namedTwice;
  const { value, edits } = found;
  if (typeof value !== 'string' || value === '') return notAName;
  return { name: value, withName: (name) => splice(body, edits(JSON.stringify(name))) };
};

/** A call with the cache that it continues. */
export type CachedCall = Readonly<{
  body: Buffer;
  /** Only the channel that holds the cache can answer. */
  madeBy: ChannelId;
  /** What is read from the cache in addition to the prompt. */
  cachedTokens: number;
}>;

type Asked = Readonly<{ caller: Caller; model: string; named: NamedCache }>;

const isServedBy = (
  core: RelayCore,
  { caller, model }: Asked,
  channelId: ChannelId,
): boolean | ApiError => {
  const channel = placeOf(core, { channelId })?.channel;
  if (channel?.enabled !== true) return false;
  if (caller.pinnedChannelId !== null) return caller.pinnedChannelId === channelId;
  const group = groupOf(caller, core.options.current().prices);
  if (typeof group !== 'string') return group;
  const tiers = core.channels.table().tiers(group, model);
  return tiers.some(({ channels }) => channels.some((one) => one.channelId === channelId));
};

const resolved = async (core: RelayCore, asked: Asked): Promise<CachedCall | ApiError> => {
  const { caller, model, named } = asked;
  const own = await ownCache(core, caller, named.name);
  if (own === null) return cacheNotFound;
  const { task, properties } = own;
  if (properties.model !== model) {
    const text = `The cached content is of model ${properties.model}: name that model in the call`;
    return callError('cache_of_other_model', text, 'cachedContent');
  }
  const { channelId, upstreamId, report } = task;
  const isServed = isServedBy(core, asked, channelId);
  if (isServed !== true) return isServed === false ? cacheChannelGone : isServed;
  const { tokens: cachedTokens } = readCacheData(report.data);
  return { body: named.withName(upstreamId), madeBy: channelId, cachedTokens };
};

/** Reads the cache that a call names. */
export const cachedCall = async (core: RelayCore, asked: Asked): Promise<CachedCall | ApiError> => {
  try {
    return await resolved(core, asked);
  } catch (error) {
    core.logger.warn({ error: String(error) }, 'a cached content lookup failed');
    return cachesAway;
  }
};
