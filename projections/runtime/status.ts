import type { Clock } from '../../infra/ports/clock.ts';
import type { Alarm } from './mismatch.ts';
import type { Projector } from './projector.ts';
import type { Session } from './session.ts';
import type { Worker } from './worker.ts';

/** The current state of one projection. */
export type ProjectionStatus = Readonly<{
  name: string;
  state: 'starting' | 'catching-up' | 'live' | 'failed' | 'standby' | 'rebuilding';
  position: bigint | null;
  head: bigint | null;
  lagSeconds: number;
  eventsPerSecond: number;
  /** 0 to 1, null when it is not rebuilt. */
  rebuildProgress: number | null;
  error: string;
}>;

export interface Status {
  opened(session: Session): void;
  closed(): void;
  /** Another process is the active one. */
  standby(): void;
  /** Once a second: measures the rates. */
  sample(): void;
  rows(): readonly ProjectionStatus[];
  ready(): Readonly<{ ok: boolean; detail: string }>;
  rebuilding(
    name: string,
    task: (report: (progress: number) => void) => Promise<void>,
  ): Promise<void>;
}

const stateOf = (worker: Worker, progress: number | undefined): ProjectionStatus['state'] => {
  if (progress !== undefined) return 'rebuilding';
  if (worker.state() === 'failed') return 'failed';
  return worker.isServing() ? 'live' : 'catching-up';
};

const away = (name: string, state: 'starting' | 'standby'): ProjectionStatus => ({
  name,
  state,
  position: null,
  head: null,
  lagSeconds: 0,
  eventsPerSecond: 0,
  rebuildProgress: null,
  error: '',
});

export const createStatus = ({
  projectors,
  clock,
  alarm,
}: Readonly<{
  projectors: readonly Projector[];
  clock: Clock;
  alarm: Pick<Alarm, 'detail' | 'isMissing'>;
}>): Status => {
  let session: Session | null = null;
  let idle: 'starting' | 'standby' = 'starting';
  let sampledAt = clock().getTime();
  const rates = new Map<string, { count: number; perSecond: number }>();
  const rebuilds = new Map<string, number>();

  const progressOf = (open: Session | null): Readonly<{ ok: boolean; detail: string }> => {
    if (open === null) return { ok: idle === 'standby', detail: idle };
    const failed = open.workers.filter((worker) => worker.state() === 'failed');
    if (failed.length > 0) {
      return { ok: false, detail: `stopped: ${failed.map(({ name }) => name).join(', ')}` };
    }
    const isLive = open.workers.every((worker) => worker.isServing());
    return { ok: isLive, detail: isLive ? 'live' : 'catching up' };
  };
  const row = (worker: Worker, open: Session): ProjectionStatus => {
    const now = clock().getTime();
    const { at } = worker.seen();
    const isBehind = (worker.checkpoint() ?? -1n) < (open.reading.head ?? -1n);
    const progress = rebuilds.get(worker.name);
    return {
      name: worker.name,
      state: stateOf(worker, progress),
      position: worker.checkpoint(),
      head: open.reading.head,
      lagSeconds: isBehind && at !== null ? Math.max(0, (now - Date.parse(at)) / 1000) : 0,
      eventsPerSecond: rates.get(worker.name)?.perSecond ?? 0,
      rebuildProgress: progress ?? null,
      error: worker.error(),
    };
  };
  return {
    opened: (opened) => {
      session = opened;
      sampledAt = clock().getTime();
      rates.clear();
    },
    closed: () => {
      session = null;
      idle = 'starting';
    },
    standby: () => {
      idle = 'standby';
    },
    sample: () => {
      const now = clock().getTime();
      const seconds = Math.max(1, now - sampledAt) / 1000;
      sampledAt = now;
      for (const worker of session?.workers ?? []) {
        const { count } = worker.seen();
        const before = rates.get(worker.name)?.count ?? 0;
        rates.set(worker.name, { count, perSecond: Math.round((count - before) / seconds) });
      }
    },
    rows: () => {
      const open = session;
      return open === null
        ? projectors.map(({ name }) => away(name, idle))
        : open.workers.map((worker) => row(worker, open));
    },
    ready: () => {
      const { ok, detail } = progressOf(session);
      const alarms = alarm.detail();
      return {
        ok: ok && !alarm.isMissing(),
        detail: alarms === '' ? detail : `${detail}; ${alarms}`,
      };
    },
    rebuilding: async (name, task) => {
      rebuilds.set(name, 0);
      try {
        await task((progress) => rebuilds.set(name, progress));
      } finally {
        rebuilds.delete(name);
      }
    },
  };
};
