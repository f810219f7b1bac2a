import { admit, noRules } from '../admission/admit.ts';
import type { Incoming } from '../admission/admitted.ts';
import { isPermit } from '../admission/call-limits/call-limiter.ts';
import { limitsOf, permitFor } from '../admission/call-limits/with-permit.ts';
import type { Caller } from '../admission/caller.ts';
import { readBodyUpTo } from '../admission/read-body.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type Conversation, withItemsAdded } from '../kept-responses/conversation-items.ts';
import type { ConversationKey } from '../kept-responses/conversations.ts';
import { storeAway } from '../kept-responses/previous-input.ts';
import { inputItemList } from '../kept-responses/shown.ts';
import { sendJson } from '../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { type ConversationBody, conversationBody } from './conversation-body.ts';
import {
  badBody,
  conversationFull,
  itemNotFound,
  notFound,
  notKept,
} from './conversation-errors.ts';
import type { ConversationRoute } from './routes.ts';

type Asked = Readonly<{ route: ConversationRoute; caller: Caller }>;

type Work = Readonly<{
  core: RelayCore;
  key: ConversationKey;
  itemId: string;
  query: URLSearchParams;
  body: ConversationBody;
}>;
type Answer = JsonObject | ApiError;

/** Twenty items with pictures; what a conversation holds in all is less. */
const maxBodyBytes = 1_048_576;

const shown = (id: string, { createdAt, metadata }: Conversation): JsonObject => ({
  ...{ id, object: 'conversation', created_at: createdAt, metadata },
});

/** With items that its caller adds. */
const extended = (
  conversation: Conversation,
  items: readonly JsonObject[],
): Conversation | ApiError => {
  const longer = withItemsAdded(conversation, items);
  return items.length === 0 ? conversation : (conversationFull(longer) ?? longer);
};

const createOne = async ({ core, key, body }: Work): Promise<Answer> => {
  const made = await core.conversations.create(key.userId, body, (begun) =>
    extended(begun, body.items),
  );
  return isApiError(made) ? made : shown(made.id, made.conversation);
};

const found = async (
  { core, key }: Work,
  show: (conversation: Conversation) => Answer,
): Promise<Answer> => {
  const conversation = await core.conversations.find(key);
  return conversation === null ? notFound(key.id) : show(conversation);
};

const changed = async (
  { core, key }: Work,
  next: (conversation: Conversation) => Conversation | ApiError,
  show: (conversation: Conversation) => Answer,
): Promise<Answer> => {
  const conversation = await core.conversations.change(key, next);
  if (conversation === null) return notFound(key.id);
  return isApiError(conversation) ? conversation : show(conversation);
};

const whole = (items: readonly JsonObject[]): JsonObject => ({
  object: 'list',
  data: items,
  first_id: items[0]?.id ?? null,
  last_id: items.at(-1)?.id ?? null,
  has_more: false,
});

const page = ({ items }: Conversation, query: URLSearchParams): Answer => {
  const after = query.get('after');
  const isKnown = after === null || items.some(({ id }) => id === after);
  return isKnown ? inputItemList(items, query) : itemNotFound(after);
};

const withoutItem = (held: Conversation, itemId: string): Conversation | ApiError => {
  const items = held.items.filter(({ id }) => id !== itemId);
  if (items.length === held.items.length) return itemNotFound(itemId);
  return { ...held, items, isFull: false };
};

const removeOne = async ({ core, key }: Work): Promise<Answer> =>
  (await core.conversations.remove(key))
    ? { id: key.id, object: 'conversation.deleted', deleted: true }
    : notFound(key.id);

const workers: Readonly<Record<ConversationRoute['wanted'], (work: Work) => Promise<Answer>>> = {
  creation: createOne,
  conversation: (work) => found(work, (held) => shown(work.key.id, held)),
  update: (work) =>
    changed(
      work,
      (held) => ({ ...held, metadata: work.body.metadata }),
      (held) => shown(work.key.id, held),
    ),
  removal: removeOne,
  items: (work) => found(work, (held) => page(held, work.query)),
  'more-items': (work) =>
    changed(
      work,
      (held) => extended(held, work.body.items),
      ({ items }) => whole(items.slice(items.length - work.body.items.length)),
    ),
  item: (work) =>
    found(
      work,
      ({ items }) => items.find(({ id }) => id === work.itemId) ?? itemNotFound(work.itemId),
    ),
  'item-removal': (work) =>
    changed(
      work,
      (held) => withoutItem(held, work.itemId),
      (held) => shown(work.key.id, held),
    ),
};

const send = (incoming: Incoming, answer: Answer): void => {
  if (isApiError(answer)) sendError(incoming.res, answer, incoming.requestId);
  else sendJson(incoming, 200, answer);
};

type Read = Asked & Readonly<{ raw: Buffer }>;

const answer = async (
  core: RelayCore,
  incoming: Incoming,
  { route, caller, raw }: Read,
): Promise<Answer> => {
  if (!core.keptResponses.keeps()) return notKept;
  const { wanted, id, itemId } = route;
  const body = conversationBody(wanted, raw);
  if (typeof body === 'string') return badBody(body, null);
  const { searchParams: query } = new URL(incoming.req.url ?? '/', 'http://localhost');
  const key = { id, userId: caller.account.userId };
  return workers[wanted]({ core, key, itemId, query, body });
};

const noTokens = () => ({ prompt: 0, output: 0 });

/** A request under the limits of its caller, which takes no tokens and names no model. */
const limited = async (core: RelayCore, incoming: Incoming, asked: Read): Promise<Answer> => {
  const { caller } = asked;
  const ask = { entry: 'conversation', caller, model: '', rules: noRules, call: null } as const;
  const admission = admit(core, incoming, ask);
  if (isApiError(admission)) return admission;
  const limits = limitsOf(core, caller, { group: admission.group, call: { model: '' } });
  const permit = await permitFor(core, incoming, { limits, need: noTokens });
  if (permit !== null && !isPermit(permit)) return permit;
  try {
    return await answer(core, incoming, asked);
  } finally {
    permit?.ended(0);
  }
};

/** Makes, shows, changes and removes conversations; nothing is charged. */
export const serveConversation = (core: RelayCore, incoming: Incoming, asked: Asked): void => {
  const { res, requestId } = incoming;
  const done = (raw: Buffer): void => {
    limited(core, incoming, { ...asked, raw })
      .catch((error: unknown) => {
        core.logger.warn({ requestId, err: error }, 'a conversation could not be reached');
        return storeAway;
      })
      .then((result) => send(incoming, result))
      .catch((error: unknown) => {
        core.logger.error({ requestId, err: error }, 'a conversation could not be shown');
        res.destroy();
      });
  };
  readBodyUpTo(core, incoming, {
    maxBytes: maxBodyBytes,
    done: (raw) => {
      if (raw === 'gone') return;
      if (Buffer.isBuffer(raw)) done(raw);
      else sendError(res, raw, requestId);
    },
  });
};
