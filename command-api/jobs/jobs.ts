import { readBalances } from '../channel/balance-round.ts';
import { testChannels } from '../channel/test-round.ts';
import type { Services } from '../services.ts';
import { pollTasks } from '../task/poll-tasks.ts';
import { expireOrders } from '../topup/expire-orders.ts';
import { checkVersion } from './check-version.ts';
import type { Job } from './job.ts';

/** How often what the operator of the machine decides on happens; null: by hand only. */
export type JobSchedule = Readonly<{
  testChannelsEveryMs: number | null;
  readBalancesEveryMs: number | null;
  /** Tasks of providers are asked after. */
  pollsTasks: boolean;
  /** Milliseconds between two channels of a round. */
  pauseMs: number;
  /** What runs here, to tell whether a release is newer. */
  version: string;
}>;

/** Every job of the product; a new one is a function in a file of its own, and a line here. */
export const createJobs = (services: Services, schedule: JobSchedule): readonly Job[] => [
  expireOrders(services),
  pollTasks(services, { isOn: schedule.pollsTasks }),
  testChannels(services, { everyMs: schedule.testChannelsEveryMs, pauseMs: schedule.pauseMs }),
  readBalances(services, { everyMs: schedule.readBalancesEveryMs, pauseMs: schedule.pauseMs }),
  checkVersion(services, schedule.version),
];
