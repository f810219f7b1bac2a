import type { FastifyInstance } from 'fastify';
import { channelDecider } from '../domain/channel/decider.ts';
import { channelStreamId } from '../domain/channel/stream.ts';
import type { ChannelFailing } from '../domain/relay/messages.ts';
import type { Bus, Stop } from '../infra/ports/bus.ts';
import type { Clock } from '../infra/ports/clock.ts';
import type { EventStore } from '../infra/ports/event-store.ts';
import type { Logger } from '../infra/ports/logger.ts';
import type { Logins } from '../infra/ports/logins.ts';
import type { Mail } from '../infra/ports/mail.ts';
import type { Metrics } from '../infra/ports/metrics.ts';
import type { Random } from '../infra/ports/random.ts';
import type { SessionSigner, SessionUse, SessionVerifier } from '../infra/ports/sessions.ts';
import type { Timers } from '../infra/ports/timers.ts';
import type { Vault } from '../infra/ports/vault.ts';
import type { Webhooks } from '../infra/ports/webhooks.ts';
import { createAuditRoutes } from './audit/routes.ts';
import { createChannelRoutes } from './channel/routes.ts';
import { keyedDigest } from './commands/digest.ts';
import { createHandle } from './commands/handle-command.ts';
import { createJobs, type JobSchedule } from './create-jobs.ts';
import { type HttpSettings, registerRoutes } from './http/register.ts';
import { createTokenOwner } from './http/token-owner.ts';
import { createClaims } from './identity/claims.ts';
import { createCommandKeys } from './identity/command-keys.ts';
import { createIds } from './identity/ids.ts';
import type { PersonalKeys } from './identity/personal-keys.ts';
import { createNewId } from './identity/repeatable-ids.ts';
import { createJobRoutes } from './jobs/routes.ts';
import { createJobRunner } from './jobs/run-jobs.ts';
import type { Accounts } from './keeper/accounts.ts';
import { openOnDemand } from './keeper/open-on-demand.ts';
import { createLoginRoutes } from './login/routes.ts';
import { createNotices } from './notices/create-notices.ts';
import { createSiteOptions } from './options/site-options.ts';
import { createCheckpoints } from './processes/checkpoints.ts';
import { createNameLooksProcess } from './processes/claim-name-looks.ts';
import { disableChannelOnFailing } from './processes/disable-channel-on-failing.ts';
import { createProcesses } from './processes/processes.ts';
import { createProcessRunner } from './processes/run-processes.ts';
import { createNoticeProcess } from './processes/send-notices.ts';
import { createRedemptionRoutes } from './redemption/routes.ts';
import { serveRefusals } from './refusals/record-refusals.ts';
import { createVisibility } from './shared/visibility.ts';
import { createSiteRoutes } from './site/routes.ts';
import { serveTaskRemovals, serveTaskReports } from './task/report-task.ts';
import { createTokenRoutes } from './token/routes.ts';
import { createTopUpRoutes } from './topup/routes.ts';
import { loadUser } from './user/find-user.ts';
import { createLoginFailures } from './user/login-failures.ts';
import { createUserRoutes } from './user/routes/routes.ts';

export type CommandApiDeps = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  vault: Vault;
  sessionSigner: SessionSigner;
  sessionVerifier: SessionVerifier;
  sessionUse: SessionUse;
  clock: Clock;
  timers: Timers;
  random: Random;
  logger: Logger;
  metrics: Metrics;
  mail: Mail;
  webhooks: Webhooks;
  logins: Logins;
  accounts: Accounts;
  personalKeys: PersonalKeys;
  settings: HttpSettings;
  schedule?: Partial<JobSchedule>;
  /** The log was replaced by another: this process has to start over. */
  onLogReplaced: () => void;
}>;

/** Rounds manually only. */
const quietSchedule: JobSchedule = {
  testChannelsEveryMs: null,
  readBalancesEveryMs: null,
  pollsTasks: true,
  pauseMs: 0,
  version: '',
};

export interface CommandApi {
  register(app: FastifyInstance): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  ready(): Readonly<{ ok: boolean; detail: unknown }>;
  /** Whose access token has this SHA-256, hex; null when it opens nothing. */
  tokenOwner(hash: string): Promise<number | null>;
}

/** The write side: takes commands over HTTP, and finishes what spans streams. */
export const createCommandApi = (deps: CommandApiDeps): CommandApi => {
  const { eventStore, bus, vault, clock, logger, metrics, mail, logins, settings } = deps;
  const { personalKeys } = deps;
  const digest = keyedDigest(vault);
  const commands = createHandle({ eventStore, digest, isLive: () => runner.isLive() });
  const accounts = openOnDemand(deps.accounts, async (userId) => {
    const user = await loadUser({ commands }, userId);
    return user !== null && user.status !== 'deleted';
  });
  const ids = createIds(eventStore, clock);
  const claims = createClaims(eventStore, clock);
  const options = createSiteOptions(commands);
  const loginFailures = createLoginFailures(deps);
  const notices = createNotices({ ...deps, commands, options });
  const processes = createProcesses({ accounts, commands, options, personalKeys, logger });
  const reacted = new Set(processes.flatMap(({ on }) => Object.keys(on)));
  const runner = createProcessRunner({
    eventStore,
    bus,
    timers: deps.timers,
    logger,
    processes: [
      ...processes,
      createNoticeProcess({ clock, commands, ids, options, notices }),
      createNameLooksProcess({ claims, vault }),
    ],
    checkpoints: createCheckpoints({ eventStore, clock, random: deps.random }),
    observe: commands.observe,
    onLogReplaced: deps.onLogReplaced,
  });
  const visibility = createVisibility(bus);
  const lagging = metrics.counter({
    name: 'tollgate_replies_before_read_models_total',
    help: 'Replies that did not wait any longer for the read models.',
  });
  const jobs = createJobRunner({ bus, clock, timers: deps.timers, logger });
  const services = {
    eventStore,
    bus,
    vault,
    sessionSigner: deps.sessionSigner,
    sessionVerifier: deps.sessionVerifier,
    sessionUse: deps.sessionUse,
    clock,
    logger,
    mail,
    logins,
    commands,
    accounts,
    commandKeys: createCommandKeys(eventStore),
    ids,
    newId: createNewId(ids, bus),
    claims,
    personalKeys,
    loginFailures,
    options,
    notices,
    jobs,
    hasConsequences: (eventType: string) => reacted.has(eventType),
  };
  jobs.add(
    createJobs({ ...services, timers: deps.timers }, { ...quietSchedule, ...deps.schedule }),
  );
  let stopFailing: Stop | null = null;
  let stopReports: Stop | null = null;
  let stopRemovals: Stop | null = null;
  let stopRefusals: Stop | null = null;

  const disableFailing = async (failing: ChannelFailing): Promise<void> => {
    try {
      if (!(await options.isOn('AutomaticDisableChannelEnabled'))) return;
      const command = disableChannelOnFailing(failing);
      await commands.handle(channelDecider, channelStreamId(failing.channelId), command);
    } catch (error) {
      logger.error({ channelId: failing.channelId, error }, 'channel could not be given up');
    }
  };

  return {
    register: (app) =>
      registerRoutes(
        app,
        {
          ...createSiteRoutes(services),
          ...createAuditRoutes(services),
          ...createUserRoutes(services),
          ...createLoginRoutes(services),
          ...createChannelRoutes(services),
          ...createTokenRoutes(services),
          ...createRedemptionRoutes(services),
          ...createTopUpRoutes(services),
          ...createJobRoutes(services),
        },
        {
          deps: services,
          settings,
          visibility: {
            ...visibility,
            wait: async (commit) => {
              const seen = await visibility.wait(commit);
              if (seen === 'lagging') lagging.inc();
              return seen;
            },
          },
        },
      ),
    async start() {
      await visibility.start();
      await runner.start();
      await jobs.start();
      stopFailing ??= await bus.subscribe<ChannelFailing>('channel.failing', (failing) => {
        void disableFailing(failing);
      });
      stopReports ??= await serveTaskReports(bus, services);
      stopRemovals ??= await serveTaskRemovals(bus, services);
      stopRefusals ??= await serveRefusals(services);
    },
    async stop() {
      await stopFailing?.();
      await stopReports?.();
      await stopRemovals?.();
      await stopRefusals?.();
      stopReports = null;
      stopRemovals = null;
      stopRefusals = null;
      stopFailing = null;
      await loginFailures.stop();
      await jobs.stop();
      await runner.stop();
      await visibility.stop();
    },
    tokenOwner: createTokenOwner(services),
    ready() {
      const isLive = runner.isLive();
      const failing = runner.failing();
      return { ok: isLive && failing.length === 0, detail: { isLive, failing } };
    },
  };
};
