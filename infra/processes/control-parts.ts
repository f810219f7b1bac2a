import { createCommandApi } from '../../command-api/create-command-api.ts';
import { createKeeper } from '../../command-api/keeper/create-keeper.ts';
import { createProjections } from '../../projections/create-projections.ts';
import { createLogins } from '../login/create-logins.ts';
import { createTurnstile } from '../login/turnstile.ts';
import { createSmtpMail } from '../mail/create-smtp-mail.ts';
import { createWebhooks } from '../net/create-webhooks.ts';
import type { Bus } from '../ports/bus.ts';
import type { EventStore } from '../ports/event-store.ts';
import { createDatabase } from '../postgres/create-database.ts';
import type { Foundation } from './foundation.ts';
import { verifyApart } from './verify-apart.ts';
import { type Part, productVersion } from './web-app.ts';

type Engines = Readonly<{ eventStore: EventStore; bus: Bus }>;

/** Minutes between two rounds as milliseconds; 0 means by hand only. */
const everyMs = (minutes: number): number | null => (minutes === 0 ? null : minutes * 60_000);

/** The write side: routes, the account keeper and the process managers. */
export const writeSide = (foundation: Foundation, { eventStore, bus }: Engines): Part[] => {
  const { config, logger, metrics, vault, clock } = foundation;
  const { timers, random } = foundation.system;
  const keeper = createKeeper({
    eventStore,
    bus,
    clock,
    timers,
    random,
    logger: logger.child({ part: 'keeper' }),
    metrics,
    leaseTtlMs: config.leaseTtlSeconds * 1_000,
    // On NATS there may be others, which share the accounts.
    ...(config.natsUrl === null ? {} : { keeperId: random.uuid() }),
  });
  const commandApi = createCommandApi({
    eventStore,
    bus,
    vault,
    clock,
    timers,
    random,
    logger: logger.child({ part: 'command-api' }),
    metrics,
    mail: createSmtpMail(),
    webhooks: createWebhooks(),
    logins: createLogins(config.loginEndpoints),
    accounts: keeper,
    schedule: {
      testChannelsEveryMs: everyMs(config.channelTestMinutes),
      readBalancesEveryMs: everyMs(config.channelUpdateMinutes),
      pauseMs: config.pollingIntervalSeconds * 1_000,
      pollsTasks: config.pollsTasks,
      version: productVersion(),
    },
    settings: {
      trustedProxies: config.trustedProxies,
      maxBodyBytes: config.maxBodyMb * 1024 * 1024,
      humanCheck: createTurnstile(config.turnstileUrl),
    },
  });
  return [
    { name: 'keeper', start: keeper.start, stop: keeper.stop, ready: keeper.ready },
    { name: 'command-api', ...commandApi },
  ];
};

/** The read side: projectors, feeds and the read API. */
export const readSide = (
  foundation: Foundation,
  { eventStore, bus }: Engines,
  databaseUrl: string,
): Part => {
  const { config, logger, metrics, vault, clock } = foundation;
  const database = createDatabase({
    url: databaseUrl,
    applicationName: 'tollgate-projections',
    synchronousCommit: false,
  });
  const projections = createProjections({
    eventStore,
    bus,
    db: database.db,
    vault,
    clock,
    timers: foundation.system.timers,
    logger: logger.child({ part: 'projections' }),
    metrics,
    verify: verifyApart({
      eventStoreUrl: config.eventStoreUrl,
      databaseUrl,
      dataDir: config.dataDir,
    }),
    settings: { trustedProxies: config.trustedProxies },
  });
  return {
    name: 'projections',
    register: projections.register,
    start: projections.start,
    stop: async () => {
      await projections.stop();
      await database.close();
    },
    ready: projections.ready,
  };
};
