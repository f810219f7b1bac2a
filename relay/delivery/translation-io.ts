import { MessageChannel } from 'node:worker_threads';
import type { JobOptions, Offloaded } from '../offload/offload.ts';
import { serveIo } from '../offload/remote-io.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { ProviderIo } from '../upstream/types.ts';

type OnThread = Readonly<{
  io: ProviderIo;
  options: Pick<JobOptions, 'owner' | 'bytes' | 'isOwed'>;
}>;

/** Runs a job whose calls outside are made from this thread. */
export const offloadedWithIo = async <T>(
  run: (options: JobOptions) => Promise<Offloaded<T>>,
  { io, options }: OnThread,
): Promise<T | ApiError> => {
  const served: ReturnType<typeof serveIo>[] = [];
  const result = await run({
    ...options,
    openPort: () => {
      const { port1, port2 } = new MessageChannel();
      served.push(serveIo(port1, io));
      return port2;
    },
    isWaiting: () => served.at(-1)?.isWaiting() === true,
  });
  for (const { close } of served) close();
  return result.kind === 'done' ? result.value : result.error;
};
