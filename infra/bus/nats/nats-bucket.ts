import { type KV, type KvEntry, nanos } from 'nats';
import { delay, retryDelayMs } from '../retry.ts';
import { isMissing, type NatsLink } from './nats-link.ts';
import { infoOnceSetUp, madeOnce } from './nats-stream.ts';

export type BucketOptions = Readonly<{
  name: string;
  /** Milliseconds; null: for ever. */
  ttlMs: number | null;
}>;

const safeKey = /^[A-Za-z0-9_-]+$/;

/** Keys of a bucket are narrow; any other text travels as base64url behind "=". */
export const encodeKey = (key: string): string =>
  safeKey.test(key) ? key : `=${Buffer.from(key, 'utf8').toString('base64url')}`;

export const decodeKey = (encoded: string): string =>
  encoded.startsWith('=') ? Buffer.from(encoded.slice(1), 'base64url').toString('utf8') : encoded;

/** An existing bucket keeps its old time to live and replicas unless it is updated. */
const update = async (link: NatsLink, kv: KV, ttlMs: number | null): Promise<void> => {
  const { config } = await infoOnceSetUp(
    link.system.timers,
    async () => (await kv.status()).streamInfo,
  );
  const maxAge = nanos(ttlMs ?? 0);
  if (config.max_age === maxAge && config.num_replicas === link.replicas) return;
  await link.manager.streams.update(config.name, {
    max_age: maxAge,
    num_replicas: link.replicas,
    duplicate_window: nanos(Math.min(ttlMs ?? 120_000, 120_000)),
  });
};

const open = async (link: NatsLink, { name, ttlMs }: BucketOptions): Promise<KV> => {
  const bucket = `${link.namespace}-${name}`;
  if (!link.creates) return link.jetStream.views.kv(bucket, { bindOnly: true });
  const kv = await madeOnce(() =>
    link.jetStream.views.kv(bucket, {
      history: 1,
      replicas: link.replicas,
      allow_direct: false,
      ...(ttlMs === null ? {} : { ttl: ttlMs }),
    }),
  );
  await update(link, kv, ttlMs);
  return kv;
};

/**
 * So often work is tried in a bucket that this process makes where it is missing; some 0.4 s. The server
 * answers for a stream that another process is just making before it listens to the stream's subjects.
 */
const maxTries = 5;

export type LazyBucket = Readonly<{
  open: () => Promise<KV>;
  /** Works in the bucket; again in a new one when it is found to be gone. */
  use: <R>(work: (kv: KV) => Promise<R>) => Promise<R>;
}>;

/**
 * Opens, or creates, a bucket at first use; a failure is not cached. After a lost connection it is
 * checked again, because the server may be empty after a restart.
 */
export const lazyBucket = (link: NatsLink, options: BucketOptions): LazyBucket => {
  let opened: Promise<KV> | null = null;
  const forget = (): void => {
    opened = null;
  };
  link.onReconnect(forget);
  const openAgain = (): Promise<KV> => {
    const opening = open(link, options).catch((error: unknown) => {
      if (opened === opening) forget();
      throw error;
    });
    opened = opening;
    return opening;
  };
  const openOnce = (): Promise<KV> => opened ?? openAgain();
  const tries = link.creates ? maxTries : 2;
  const tryTo = async <R>(work: (kv: KV) => Promise<R>, attempt: number): Promise<R> => {
    const opening = openOnce();
    const kv = await opening;
    try {
      return await work(kv);
    } catch (error) {
      if (!isMissing(error) || attempt === tries) throw error;
      if (opened === opening) forget();
    }
    if (attempt > 1) await delay(link.system.timers, retryDelayMs(attempt - 1));
    return tryTo(work, attempt + 1);
  };
  return { open: openOnce, use: (work) => tryTo(work, 1) };
};

/** What a key holds; null when nothing, or a mark of deletion. */
export const heldText = (entry: KvEntry | null): string | null =>
  entry === null || entry.operation !== 'PUT' ? null : entry.string();
