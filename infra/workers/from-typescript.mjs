/* Runs a worker module from its TypeScript: a thread does not take over the loader of its process. */
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const module = await import(workerData.entry);

export const { work } = module;
