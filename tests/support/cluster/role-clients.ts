import { connect, type NatsConnection } from 'nats';
import { expect, vi } from 'vitest';
import { requestRateBuckets } from '../../../domain/option/request-rate-buckets.ts';
import { responseBucket } from '../../../domain/relay/response-bucket.ts';
import { createNatsBus } from '../../../infra/bus/nats/create-nats-bus.ts';
import { connectionOptionsOf } from '../../../infra/bus/nats/nats-connect.ts';
import type { Bus, FeedName } from '../../../infra/ports/bus.ts';
import { silentLogger } from '../silent-logger.ts';
import type { NatsUser, RoleNats } from './role-nats.ts';

export const roleFeeds = [
  'keys',
  'options',
  'channels',
  'accounts',
  'tokens',
] as const satisfies readonly FeedName[];
export const patience = { timeout: 20_000, interval: 50 };

/** What connects to a NATS server with roles: the product's own bus, and clients that are not the product. */
export const roleClients = (nats: () => RoleNats) => {
  const raws: NatsConnection[] = [];

  const busOf = (user: NatsUser): Promise<Bus> =>
    createNatsBus({
      url: nats().urlOf(user),
      logger: silentLogger,
      name: user,
      creates: !user.startsWith('relay'),
      ...(user === 'projections' ? { provides: { feeds: roleFeeds } } : {}),
      ...(user === 'command-api'
        ? { provides: { queues: ['usage'], buckets: [...requestRateBuckets, responseBucket] } }
        : {}),
    });

  /** A client of the user that is not the product. */
  const rawOf = async (user: NatsUser): Promise<NatsConnection> => {
    const raw = await connect({ ...connectionOptionsOf(nats().urlOf(user)), reconnect: false });
    raws.push(raw);
    return raw;
  };

  /** Publishing is answered by an error on the connection, if at all: what counts is the effect. */
  const publishAll = async (subjects: readonly string[], body: string): Promise<string[]> => {
    const raw = await rawOf('relay-0');
    const refused: string[] = [];
    void (async () => {
      for await (const { data } of raw.status()) refused.push(String(data));
    })();
    for (const subject of subjects) raw.publish(subject, body);
    await raw.flush();
    await vi.waitFor(() => expect(refused).toHaveLength(subjects.length), patience);
    return refused;
  };

  const closeRaw = async (): Promise<void> => {
    for (const raw of raws) await raw.close();
  };

  return { busOf, rawOf, publishAll, closeRaw };
};
