import type { Bus } from '../infra/ports/bus.ts';
import type { Clock } from '../infra/ports/clock.ts';
import type { EventStore } from '../infra/ports/event-store.ts';
import type { Logger } from '../infra/ports/logger.ts';
import type { Timers } from '../infra/ports/timers.ts';
import type { Vault } from '../infra/ports/vault.ts';
import { readBalances } from './channel/balance-round.ts';
import { testChannels } from './channel/test-round.ts';
import type { CommandHandler } from './commands/handle-command.ts';
import type { Ids } from './identity/ids.ts';
import { checkVersion } from './jobs/check-version.ts';
import type { Job } from './jobs/job.ts';
import type { Notices } from './notices/create-notices.ts';
import type { SiteOptions } from './options/site-options.ts';
import { pollTasks } from './task/poll-tasks.ts';
import { expireOrders } from './topup/expire-orders.ts';

type Deps = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  vault: Vault;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  commands: CommandHandler;
  ids: Ids;
  options: SiteOptions;
  notices: Notices;
}>;

/** Intervals from the environment of the process; null: the job is started manually only. */
export type JobSchedule = Readonly<{
  testChannelsEveryMs: number | null;
  readBalancesEveryMs: number | null;
  /** Whether the state of open tasks is queried at their providers. */
  pollsTasks: boolean;
  /** Milliseconds between two channels of a round. */
  pauseMs: number;
  /** The running version, compared with the newest release. */
  version: string;
}>;

/** Every job of the product; a new one is a function in a separate file, and a line here. */
export const createJobs = (deps: Deps, schedule: JobSchedule): readonly Job[] => [
  expireOrders(deps),
  pollTasks(deps, { isOn: schedule.pollsTasks }),
  testChannels(deps, { everyMs: schedule.testChannelsEveryMs, pauseMs: schedule.pauseMs }),
  readBalances(deps, { everyMs: schedule.readBalancesEveryMs, pauseMs: schedule.pauseMs }),
  checkVersion(deps, schedule.version),
];
