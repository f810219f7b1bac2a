import { randomUUID } from 'node:crypto';
import { responseBucket } from '../../domain/relay/response-bucket.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { RelayVault } from '../../infra/ports/vault.ts';
import type { OptionBook } from '../feeds/options.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { relayError } from '../protocol/relay-errors.ts';
import type { Conversation } from './conversation-items.ts';
import type { StoreEntry } from './kept-responses.ts';
import { isConversationId } from './response-ids.ts';
import { sealText, unsealText } from './seal.ts';

/** An entry of the store of responses; which channel answered does not matter here. */
type Entry = StoreEntry & Readonly<{ channelId: null; sealed: string }>;

/** Whose conversation; another user's is not found. */
export type ConversationKey = Readonly<{ id: string; userId: UserId }>;

/** Conversations of callers, shared by all relays. Each method @throws when the store is away. */
export type Conversations = Readonly<{
  create: (
    userId: UserId,
    begun: Readonly<{ metadata: JsonObject }>,
    fill: (conversation: Conversation) => Conversation | ApiError,
  ) => Promise<Readonly<{ id: string; conversation: Conversation }> | ApiError>;
  find: (key: ConversationKey) => Promise<Conversation | null>;
  /** Simultaneous changes of several callers are applied one after the other; none is lost. */
  change: (
    key: ConversationKey,
    next: (conversation: Conversation) => Conversation | ApiError,
  ) => Promise<Conversation | ApiError | null>;
  remove: (key: ConversationKey) => Promise<boolean>;
}>;

type Deps = Readonly<{
  bus: Pick<Bus, 'keyValue'>;
  vault: RelayVault;
  clock: Clock;
  options: OptionBook;
}>;

/** So many writers may be faster than one before it gives up. */
const maxTries = 32;

const locked: ApiError = {
  ...relayError('conversation_locked'),
  type: 'invalid_request_error',
  param: 'conversation',
  retryAfterSeconds: 1,
};

export const createConversations = ({ bus, vault, clock, options }: Deps): Conversations => {
  const { bucket, ttlSeconds } = responseBucket;
  const store = () => bus.keyValue(bucket, { ttlSeconds });

  const sealed = (key: ConversationKey, conversation: Conversation): Entry => ({
    userId: key.userId,
    expiresAt: clock().getTime() + options.current().keepResponsesMs,
    channelId: null,
    sealed: sealText(vault, JSON.stringify(conversation), key),
  });
  const heldFor = async ({ id, userId }: ConversationKey): Promise<Entry | null> => {
    const entry = isConversationId(id) ? await store().get<Entry>(id) : null;
    const isThere = entry?.userId === userId && entry.expiresAt > clock().getTime();
    return isThere ? entry : null;
  };
  const opened = (key: ConversationKey, entry: Entry): Conversation =>
    JSON.parse(unsealText(vault, entry.sealed, key));

  return {
    create: async (userId, { metadata }, fill) => {
      const id = `conv_tg${randomUUID().replaceAll('-', '')}`;
      const createdAt = Math.floor(clock().getTime() / 1_000);
      const conversation = fill({ createdAt, metadata, items: [], isFull: false });
      if (isApiError(conversation)) return conversation;
      await store().put(id, sealed({ id, userId }, conversation));
      return { id, conversation };
    },
    find: async (key) => {
      const entry = await heldFor(key);
      return entry === null ? null : opened(key, entry);
    },
    change: async (key, next) => {
      for (let attempt = 0; attempt < maxTries; attempt += 1) {
        const held = await heldFor(key);
        if (held === null) return null;
        const changed = next(opened(key, held));
        if (isApiError(changed)) return changed;
        if (await store().replace(key.id, held, sealed(key, changed))) return changed;
      }
      return locked;
    },
    remove: async (key) => (await heldFor(key)) !== null && store().remove(key.id),
  };
};
