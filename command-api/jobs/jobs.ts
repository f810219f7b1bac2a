import type { Services } from '../services.ts';
import { pollTasks } from '../task/poll-tasks.ts';
import { expireOrders } from '../topup/expire-orders.ts';
import type { Job } from './job.ts';

/** Every job of the product; a new one is a function in a file of its own, and a line here. */
export const createJobs = (services: Services): readonly Job[] => [
  expireOrders(services),
  pollTasks(services),
];
