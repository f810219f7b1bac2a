import type { JsonObject } from '../protocol/canonical.ts';
import { isObject, parseObject } from '../protocol/json.ts';
import type { ConversationRoute } from './routes.ts';

export type ConversationBody = Readonly<{ items: readonly JsonObject[]; metadata: JsonObject }>;

/** As many as OpenAI takes in one call. */
const maxItemsAtOnce = 20;
const maxPairs = 16;
const maxNameChars = 64;
const maxValueChars = 512;

const nothing: ConversationBody = { items: [], metadata: {} };

const metadataProblem = (metadata: JsonObject): string | null => {
  const pairs = Object.entries(metadata);
  if (pairs.length > maxPairs) return `metadata takes at most ${maxPairs} pairs`;
  const isBad = pairs.some(
    ([name, value]) =>
      name.length > maxNameChars || typeof value !== 'string' || value.length > maxValueChars,
  );
  return isBad
    ? `metadata takes names of at most ${maxNameChars} and texts of at most ${maxValueChars} characters`
    : null;
};

const isItem = (item: unknown): item is JsonObject =>
  isObject(item) &&
  (item.type === undefined || typeof item.type === 'string') &&
  item.type !== 'item_reference';

const itemsOf = (items: unknown): readonly JsonObject[] | string => {
  if (!Array.isArray(items)) return 'items must be a list of items';
  if (items.length > maxItemsAtOnce) return `items takes at most ${maxItemsAtOnce} at a time`;
  return items.every(isItem) ? items : 'items must hold items, written out in full';
};

const metadataOf = (metadata: unknown): JsonObject | string => {
  if (!isObject(metadata)) return 'metadata must be an object';
  return metadataProblem(metadata) ?? metadata;
};

const read = (wanted: ConversationRoute['wanted'], body: JsonObject): ConversationBody | string => {
  const isCreation = wanted === 'creation';
  const items =
    wanted === 'update' || (isCreation && body.items == null) ? [] : itemsOf(body.items);
  if (typeof items === 'string') return items;
  if (wanted === 'more-items') {
    return items.length === 0 ? 'items must hold at least one item' : { ...nothing, items };
  }
  if (wanted === 'update' && body.metadata === undefined) return 'metadata is missing';
  const metadata = metadataOf(body.metadata ?? {});
  return typeof metadata === 'string' ? metadata : { items, metadata };
};

const withBody: ReadonlySet<ConversationRoute['wanted']> = new Set([
  ...(['creation', 'update', 'more-items'] as const),
]);

/** The items that a caller adds to a conversation, or what is wrong with them. */
export const conversationBody = (
  wanted: ConversationRoute['wanted'],
  raw: Buffer,
): ConversationBody | string => {
  if (!withBody.has(wanted)) return nothing;
  const body = raw.length === 0 ? {} : parseObject(raw.toString('utf8'));
  return body === null ? 'The request body must be a JSON object' : read(wanted, body);
};
