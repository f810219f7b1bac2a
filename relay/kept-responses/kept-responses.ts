import { responseBucket } from '../../domain/relay/response-bucket.ts';
import type { ChannelId, UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { RelayVault } from '../../infra/ports/vault.ts';
import type { OptionBook } from '../feeds/options.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { objectAt, objectsAt, parseObject } from '../protocol/json.ts';
import { isConversationId } from './response-ids.ts';
import { sealText, unsealText } from './seal.ts';

/** Longer conversations, as JSON, are not kept: buses take messages up to a mebibyte, and sealed they are longer. */
export const maxKeptBytes = 524_288;

/** An entry of the store. Of responses that a provider keeps itself, only the channel is stored. */
export type StoreEntry = Readonly<{
  userId: UserId;
  /** Unix milliseconds. */
  expiresAt: number;
  channelId: ChannelId | null;
  sealed: string | null;
}>;

export type KeptResponse = Readonly<{
  userId: UserId;
  /** Of responses that a provider keeps: who. */
  channelId: ChannelId | null;
  /** The input, the conversation before it included; null where the provider keeps it. */
  own: Readonly<{ input: readonly JsonObject[]; response: JsonObject }> | null;
}>;

type Asked = Readonly<{ userId: UserId; input: readonly JsonObject[] }>;

/** Responses that callers may name later, shared by all relays. */
export type KeptResponses = Readonly<{
  /** false: the operator keeps none. */
  keeps: () => boolean;
  /** @throws when the store is away */
  find: (id: string) => Promise<KeptResponse | null>;
  keep: (response: JsonObject, asked: Asked) => void;
  /** A provider keeps it: the caller and the channel. */
  note: (id: string, made: Readonly<{ userId: UserId; channelId: ChannelId }>) => void;
  remove: (id: string) => Promise<boolean>;
}>;

type Deps = Readonly<{
  bus: Pick<Bus, 'keyValue'>;
  vault: RelayVault;
  clock: Clock;
  options: OptionBook;
  logger: Pick<Logger, 'warn'>;
}>;

export const createKeptResponses = (deps: Deps): KeptResponses => {
  const { bus, vault, clock, options, logger } = deps;
  const { bucket, ttlSeconds } = responseBucket;
  const store = () => bus.keyValue(bucket, { ttlSeconds });
  const keptMs = (): number => options.current().keepResponsesMs;

  const put = (id: string, entry: Omit<StoreEntry, 'expiresAt'>): void => {
    const expiresAt = clock().getTime() + keptMs();
    store()
      .put<StoreEntry>(id, { ...entry, expiresAt })
      .catch((error: unknown) => logger.warn({ err: error }, 'a response could not be kept'));
  };
  const opened = (id: string, { userId, sealed }: StoreEntry): KeptResponse['own'] => {
    if (sealed === null) return null;
    const own = parseObject(unsealText(vault, sealed, { userId, id })) ?? {};
    return { input: objectsAt(own, 'input'), response: objectAt(own, 'response') };
  };

  return {
    keeps: () => keptMs() > 0,
    find: async (id) => {
      if (isConversationId(id)) return null;
      const entry = await store().get<StoreEntry>(id);
      if (entry === null || entry.expiresAt <= clock().getTime()) return null;
      return { userId: entry.userId, channelId: entry.channelId, own: opened(id, entry) };
    },
    keep: (response, { userId, input }) => {
      const id = String(response.id);
      const plain = JSON.stringify({ input, response });
      if (keptMs() === 0 || Buffer.byteLength(plain) > maxKeptBytes) return;
      put(id, { userId, channelId: null, sealed: sealText(vault, plain, { userId, id }) });
    },
    note: (id, { userId, channelId }) => {
      if (keptMs() > 0) put(id, { userId, channelId, sealed: null });
    },
    remove: (id) => store().remove(id),
  };
};
