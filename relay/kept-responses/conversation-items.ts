import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../protocol/canonical.ts';
import { without } from '../protocol/json.ts';

/** What a conversation holds; JSON, sealed where it is stored. */
export type Conversation = Readonly<{
  /** In seconds. */
  createdAt: number;
  metadata: JsonObject;
  items: readonly JsonObject[];
  /** An answer did not fit: going on would leave it out without a word. */
  isFull: boolean;
}>;

const maxItems = 1_000;
/** What callers may add up to, in bytes of JSON; what is above is left to the answer. */
const maxGivenBytes = 393_216;
/** Sealed and in base64 it is below a mebibyte, the longest message of a bus. */
const maxHeldBytes = 655_360;

const bytesOf = (conversation: Conversation): number =>
  Buffer.byteLength(JSON.stringify(conversation));

const fits = (conversation: Conversation, maxBytes: number): boolean =>
  conversation.items.length <= maxItems && bytesOf(conversation) <= maxBytes;

/** May a caller bring it to this length? */
export const fitsGiven = (conversation: Conversation): boolean => fits(conversation, maxGivenBytes);

/** May it be stored? */
export const fitsStore = (conversation: Conversation): boolean => fits(conversation, maxHeldBytes);

const idPrefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
};

const newItemId = (type: string): string =>
  `${idPrefixes[type] ?? 'item'}_${randomUUID().replaceAll('-', '')}`;

const contentOf = ({ role, content }: JsonObject): unknown => {
  if (typeof content !== 'string') return content;
  return role === 'assistant'
    ? [{ type: 'output_text', text: content, annotations: [], logprobs: [] }]
    : [{ type: 'input_text', text: content }];
};

/** An item as callers are shown it. */
const wholeItem = (item: JsonObject, id: string): JsonObject => {
  const type = typeof item.type === 'string' ? item.type : 'message';
  if (type !== 'message') return { ...item, id };
  return { ...item, id, type, status: item.status ?? 'completed', content: contentOf(item) };
};

/** A conversation with more items, each with a separate id. */
export const withItemsAdded = (
  conversation: Conversation,
  items: readonly JsonObject[],
): Conversation => {
  const taken = new Set(conversation.items.map(({ id }) => id));
  const added = items.map((item) => {
    const isOwn = typeof item.id === 'string' && item.id !== '' && !taken.has(item.id);
    const id = isOwn ? String(item.id) : newItemId(String(item.type ?? 'message'));
    taken.add(id);
    return wholeItem(item, id);
  });
  return { ...conversation, items: [...conversation.items, ...added] };
};

/** Items that any provider accepts without an id; one with an unknown id would be refused. */
const namelessTypes: ReadonlySet<unknown> = new Set(Object.keys(idPrefixes));

/** Reasoning without its content is of use only to the provider that keeps it. */
const isOfUse = ({ type, encrypted_content: content }: JsonObject): boolean =>
  type !== 'reasoning' || typeof content === 'string';

/** The items as they go to a provider, whichever made them. */
export const sentItems = ({ items }: Conversation): readonly JsonObject[] =>
  items
    .filter(isOfUse)
    .map((item) => (namelessTypes.has(item.type) ? without(item, ['id']) : item));

/** What of an answer is remembered; calls that broke off can be answered by nothing. */
export const answerItems = (output: readonly JsonObject[]): readonly JsonObject[] =>
  output.filter(({ type, status }) => type === 'message' || status !== 'incomplete');
