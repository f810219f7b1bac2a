import type { Workers, WorkOptions } from '../../infra/ports/workers.ts';
import { handlers } from './job-handlers.ts';

type AnyHandler = (
  input: unknown,
  port: ReturnType<NonNullable<WorkOptions['openPort']>> | null,
) => Promise<unknown>;

/** The same jobs on the relay's own thread, where no others were handed in. */
export const inlineWorkers: Pick<Workers, 'run'> = {
  run: async <T>(job: string, input: unknown, { openPort }: WorkOptions) => {
    const handle = (handlers as unknown as Readonly<Record<string, AnyHandler>>)[job];
    if (handle === undefined) throw new Error(`no such job: ${job}`);
    const value = (await handle(input, openPort?.() ?? null)) as T;
    return { kind: 'done' as const, value };
  },
};
