import type { Logger } from '../../infra/ports/logger.ts';
import type { Workers, WorkOptions, WorkRefusal } from '../../infra/ports/workers.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';

export type JobOptions = WorkOptions;

export type Offloaded<T> =
  | Readonly<{ kind: 'done'; value: T }>
  | Readonly<{ kind: 'refused'; error: ApiError }>;

/** Input and output of each job by its name; every stage of the pipeline declares its own jobs. */
export type JobTypes = { [job: string]: { input: unknown; output: unknown } };

/** Work on large bodies, done by other threads. */
export interface Offload<Jobs extends JobTypes> {
  run<K extends keyof Jobs & string>(
    job: K,
    input: Jobs[K]['input'],
    options: JobOptions,
  ): Promise<Offloaded<Jobs[K]['output']>>;
}

const refusals: Readonly<Record<WorkRefusal, ApiError>> = {
  'queue-full': relayError('gateway_busy'),
  'owner-share': relayError('too_many_large_requests'),
  timeout: {
    ...relayError('gateway_busy', 'The gateway could not work on this request in time'),
    retryAfterSeconds: 5,
  },
  memory: relayError('request_too_large', 'The request takes too much memory to be worked on'),
};

/** Jobs that fail for a fault of the relay are logged; their callers handle the error. */
export const createOffload = <Jobs extends JobTypes>(
  workers: Pick<Workers, 'run'>,
  log: Pick<Logger, 'warn'>,
): Offload<Jobs> => ({
  run: async <K extends keyof Jobs & string>(
    job: K,
    input: Jobs[K]['input'],
    options: JobOptions,
  ): Promise<Offloaded<Jobs[K]['output']>> => {
    const result = await workers.run<Jobs[K]['output']>(job, input, options);
    if (result.kind === 'done') return result;
    log.warn({ job, reason: result.reason, bytes: options.bytes }, 'a job was not done');
    return { kind: 'refused', error: refusals[result.reason] };
  },
});
