import type { ChannelId, UserId } from '../../domain/shared/ids.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { isObject, objectsAt, parseJson, parseObject, textAt } from '../protocol/json.ts';
import { largeBytes } from '../protocol/large-body.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { shortText } from '../protocol/splice.ts';
import { withItemsBefore } from './items-before.ts';
import type { KeptResponse, KeptResponses } from './kept-responses.ts';
import { isOwnResponse, responseOfItem } from './response-ids.ts';

const maxIdBytes = 256;
const referenceMark = '"item_reference"';

const notFound = (id: string, param: string): ApiError => ({
  ...relayError('previous_response_not_found', `Previous response with id '${id}' not found.`),
  type: 'invalid_request_error',
  param,
});
const tooManyReferences: ApiError = {
  ...relayError('invalid_request', 'The input refers to items of too many responses'),
  type: 'invalid_request_error',
  param: 'input',
};
export const storeAway: ApiError = relayError('responses_unavailable');

/** A call of the Responses API that may continue earlier items. */
export const refersToEarlier = ({ body, scan }: ScannedBody): boolean =>
  scan.members.previous_response_id !== undefined ||
  (body.length < largeBytes && body.includes(referenceMark));

/** What an earlier response changes in a call. */
export type Earlier = Readonly<{
  /** With all earlier items; null: as received. */
  body: Buffer | null;
  /** Who keeps the earlier response; undefined: any channel will do. */
  madeBy: ChannelId | undefined;
}>;

const previousId = ({ body, scan }: ScannedBody): string => {
  const member = scan.members.previous_response_id;
  const id = member === undefined ? null : parseJson(shortText(body, member, maxIdBytes));
  return typeof id === 'string' ? id : '';
};

const withEarlier = (body: Buffer, { own }: KeptResponse): Buffer =>
  own === null
    ? body
    : withItemsBefore(
        body,
        [...own.input, ...objectsAt(own.response, 'output')],
        'previous_response_id',
      );

/** Each response is read once. */
const maxResponses = 32;

type Asker = Readonly<{ kept: KeptResponses; userId: UserId }>;

const findOwn = async (
  { kept, userId }: Asker,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JsonObject>> => {
  const found = await Promise.all(ids.map((id) => kept.find(id)));
  const items = found
    .filter((response) => response?.userId === userId)
    .flatMap((response) => objectsAt(response?.own?.response ?? {}, 'output'));
  return new Map(items.map((item) => [textAt(item, 'id'), item] as const));
};

const isReference = (item: unknown): item is JsonObject =>
  isObject(item) && item.type === 'item_reference' && responseOfItem(textAt(item, 'id')) !== null;

/** The body with the items that it refers to; null: it refers to none of ours. */
export const withReferredItems = async (
  body: Buffer,
  asker: Asker,
): Promise<Buffer | ApiError | null> => {
  if (body.length >= largeBytes || !body.includes(referenceMark)) return null;
  const parsed = parseObject(body.toString('utf8')) ?? {};
  const input: readonly unknown[] = Array.isArray(parsed.input) ? parsed.input : [];
  const ids = new Set(
    input.filter(isReference).map((item) => responseOfItem(textAt(item, 'id')) ?? ''),
  );
  if (ids.size === 0) return null;
  if (ids.size > maxResponses) return tooManyReferences;
  const items = await findOwn(asker, [...ids]);
  const missing = input.filter(isReference).find((item) => !items.has(textAt(item, 'id')));
  if (missing !== undefined) return notFound(textAt(missing, 'id'), 'input');
  const whole = input.map((item) => (isReference(item) ? items.get(textAt(item, 'id')) : item));
  return Buffer.from(JSON.stringify({ ...parsed, input: whole }));
};

const earlierOf = async (asker: Asker, given: ScannedBody): Promise<Earlier | ApiError> => {
  const id = previousId(given);
  const found = id === '' ? null : await asker.kept.find(id);
  const isForeign = found !== null && found.userId !== asker.userId;
  if (isForeign || (found === null && isOwnResponse(id))) {
    return notFound(id, 'previous_response_id');
  }
  const body = found === null ? given.body : withEarlier(given.body, found);
  const whole = await withReferredItems(body, asker);
  if (isApiError(whole)) return whole;
  const changed = whole ?? body;
  return {
    body: changed === given.body ? null : changed,
    madeBy: found?.channelId ?? undefined,
  };
};

/** Reads what a call continues. */
export const earlierInput = async (
  asker: Asker,
  given: ScannedBody,
): Promise<Earlier | ApiError> => {
  try {
    return await earlierOf(asker, given);
  } catch {
    return storeAway;
  }
};
