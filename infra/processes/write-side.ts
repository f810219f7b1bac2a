import { keyedDigest } from '../../command-api/commands/digest.ts';
import { createCommandApi } from '../../command-api/create-command-api.ts';
import { withSealedPersonalData } from '../../command-api/identity/personal-data.ts';
import { createPersonalKeys } from '../../command-api/identity/personal-keys.ts';
import { createKeeper } from '../../command-api/keeper/create-keeper.ts';
import { createSessionUse } from '../bus/session-use.ts';
import { createLogins } from '../login/create-logins.ts';
import { createTurnstile } from '../login/turnstile.ts';
import { createSmtpMail } from '../mail/create-smtp-mail.ts';
import { createWebhooks } from '../net/create-webhooks.ts';
import type { Bus } from '../ports/bus.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Telemetry } from '../telemetry/create-telemetry.ts';
import { createVault } from '../vault/create-vault.ts';
import type { Keyring } from '../vault/keyring.ts';
import { siteSessionSigner } from '../vault/session-signer.ts';
import { siteSessionVerifier } from '../vault/site-session-verifier.ts';
import { compressed } from './compression.ts';
import { productVersion } from './product-version.ts';
import type { Runtime } from './runtime.ts';
import type { ServerModule } from './web-app.ts';

type Engines = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  keyring: Keyring;
  telemetry: Telemetry | null;
}>;

/** Minutes between two rounds as milliseconds; 0 means manually only. */
const everyMs = (minutes: number): number | null => (minutes === 0 ? null : minutes * 60_000);

/** The write side: routes, the account keeper and the process managers. */
export const writeSide = (
  runtime: Runtime,
  { eventStore: log, bus, keyring, telemetry }: Engines,
): ServerModule[] => {
  const { config, logger, metrics, clock } = runtime;
  const vault = createVault(keyring);
  const personalKeys = createPersonalKeys(log, vault);
  const eventStore = withSealedPersonalData(log, { personalKeys, vault });
  const { timers, random } = runtime.system;
  const keeper = createKeeper({
    eventStore,
    bus,
    clock,
    timers,
    random,
    logger: logger.child({ module: 'keeper' }),
    metrics,
    tracing: telemetry?.log ?? null,
    digest: keyedDigest(vault),
    leaseTtlMs: config.leaseTtlSeconds * 1_000,
    // On NATS there may be others, which share the accounts.
    ...(config.natsUrl === null ? {} : { keeperId: random.uuid() }),
  });
  const commandApi = createCommandApi({
    eventStore,
    bus,
    vault,
    sessionSigner: siteSessionSigner(keyring),
    sessionVerifier: siteSessionVerifier(() => keyring),
    sessionUse: createSessionUse({ bus, clock, logger }),
    clock,
    timers,
    random,
    logger: logger.child({ module: 'command-api' }),
    metrics,
    mail: createSmtpMail(),
    webhooks: createWebhooks(),
    logins: createLogins(config.loginEndpoints),
    accounts: keeper,
    personalKeys,
    schedule: {
      testChannelsEveryMs: everyMs(config.channelTestMinutes),
      readBalancesEveryMs: everyMs(config.channelUpdateMinutes),
      pauseMs: config.pollingIntervalSeconds * 1_000,
      pollsTasks: config.pollsTasks,
      version: productVersion(),
    },
    // Its supervisor starts it again.
    onLogReplaced: () => process.exit(1),
    settings: {
      trustedProxies: config.trustedProxies,
      humanCheck: createTurnstile(config.turnstileUrl),
    },
  });
  return [
    { name: 'keeper', start: keeper.start, stop: keeper.stop, ready: keeper.ready },
    { name: 'command-api', ...commandApi, register: compressed(commandApi.register) },
  ];
};
