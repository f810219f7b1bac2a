import { MessageChannel } from 'node:worker_threads';
import type { ApiError } from '../ingress/api-error.ts';
import type { Jobs } from '../offload/jobs.ts';
import type { JobOptions } from '../offload/offload.ts';
import { serveIo } from '../offload/remote-io.ts';
import type { ProviderIo } from '../providers/translate.ts';
import type { RelayCore } from '../relay-core.ts';

type OnThread = Readonly<{
  io: ProviderIo;
  options: Pick<JobOptions, 'owner' | 'bytes' | 'isOwed'>;
}>;

/** A job whose calls outside are made from here. */
export const offloadedWithIo = async <K extends 'prepare' | 'read-answer'>(
  { offload }: RelayCore,
  job: K,
  { input, on }: Readonly<{ input: Jobs[K]['input']; on: OnThread }>,
): Promise<Jobs[K]['output'] | ApiError> => {
  const served: ReturnType<typeof serveIo>[] = [];
  const result = await offload.run(job, input, {
    ...on.options,
    openPort: () => {
      const { port1, port2 } = new MessageChannel();
      served.push(serveIo(port1, on.io));
      return port2;
    },
    isWaiting: () => served.at(-1)?.isWaiting() === true,
  });
  for (const { close } of served) close();
  return result.kind === 'done' ? result.value : result.error;
};
