import { ErrorCode, type KV, NatsError } from 'nats';
import { expect, test } from 'vitest';
import { nodeSystem } from '../../system/node-system.ts';
import { lazyBucket } from './nats-bucket.ts';
import type { NatsLink } from './nats-link.ts';

const isGone = (): NatsError => new NatsError('503', ErrorCode.NoResponders);

/** A bucket that is there; `creates` as of a link. */
const bucketOf = ({ creates }: Readonly<{ creates: boolean }>) => {
  let opened = 0;
  const kv = {
    status: async () => ({
      streamInfo: { created: '2026-01-02T03:04:05.678Z', config: { max_age: 0, num_replicas: 1 } },
    }),
  } as unknown as KV;
  const link = {
    namespace: 'spec',
    replicas: 1,
    creates,
    system: nodeSystem,
    onReconnect: () => () => undefined,
    jetStream: {
      views: {
        kv: async () => {
          opened += 1;
          return kv;
        },
      },
    },
  } as unknown as NatsLink;
  return {
    bucket: lazyBucket(link, { name: 'kv-made', ttlMs: null }),
    opened: () => opened,
  };
};

/** Work that the server has no listener for so many times. */
const workAfter = (failures: number) => {
  let tried = 0;
  const work = async (): Promise<string> => {
    tried += 1;
    if (tried <= failures) throw isGone();
    return 'done';
  };
  return { work, tried: () => tried };
};

test('a bucket whose subjects the server does not listen to yet is opened and tried again', async () => {
  const { bucket, opened } = bucketOf({ creates: true });
  const { work, tried } = workAfter(3);
  expect(await bucket.use(work)).toBe('done');
  expect([tried(), opened()]).toEqual([4, 4]);
});

test('a bucket that stays away is an error after five tries', async () => {
  const { bucket } = bucketOf({ creates: true });
  const { work, tried } = workAfter(100);
  await expect(bucket.use(work)).rejects.toMatchObject({ code: ErrorCode.NoResponders });
  expect(tried()).toBe(5);
});

test('a process that makes no buckets tries twice, without a pause', async () => {
  const { bucket } = bucketOf({ creates: false });
  const { work, tried } = workAfter(100);
  await expect(bucket.use(work)).rejects.toMatchObject({ code: ErrorCode.NoResponders });
  expect(tried()).toBe(2);
});

test('another error is not tried again', async () => {
  const { bucket } = bucketOf({ creates: true });
  const refused = new Error('refused');
  let tried = 0;
  const work = async () => {
    tried += 1;
    throw refused;
  };
  await expect(bucket.use(work)).rejects.toBe(refused);
  expect(tried).toBe(1);
});
