import { type Channel, channelOfProcess } from '../bus/ipc/channel.ts';
import type { Engines } from './engines.ts';
import type { Foundation } from './foundation.ts';
import { refusedMessage } from './refuse.ts';
import { supervise } from './supervise.ts';

type Plan = Readonly<{
  foundation: Foundation;
  dataDir: string;
  /** Known later than the child is born: it reads its modules meanwhile. */
  engines: Promise<Engines['urls']>;
  /** The line to a new life of the control process. */
  onLine: (channel: Channel) => void;
  /** The child has said why it cannot start, and would say so again. */
  onRefused: () => void;
}>;

export type ControlChild = Readonly<{
  /** The loopback port of the life that serves now; null between two lives. */
  port: () => number | null;
  /** What the life that serves now says of the log; null while it says nothing. */
  logState: () => unknown;
  stop: () => Promise<void>;
}>;

/** Keeps the control process alive and tells each life where its engines are. */
export const superviseControl = (plan: Plan): ControlChild => {
  const { config, logger } = plan.foundation;
  let port: number | null = null;
  let logState: unknown = null;
  const { stop } = supervise({
    name: 'control',
    entry: 'infra/processes/control',
    env: () => ({
      ...process.env,
      DATA_DIR: plan.dataDir,
      TRUSTED_PROXIES: [...config.trustedProxies, '127.0.0.1', '::1'].join(','),
    }),
    logger,
    onLife: (child) => {
      plan.onLine(channelOfProcess(child));
      child.on('message', (message: unknown) => {
        const said = (message ?? {}) as { kind?: string; port?: number; detail?: unknown };
        if (said.kind === refusedMessage.kind) plan.onRefused();
        if (said.kind === 'log-state') logState = said.detail;
        if (said.kind === 'control-ready' && said.port !== undefined) port = said.port;
      });
      child.once('exit', () => {
        port = null;
        logState = null;
      });
      void plan.engines.then((urls) => {
        if (child.connected) child.send({ kind: 'engines', ...urls }, () => undefined);
      });
    },
  });
  return { port: () => port, logState: () => logState, stop: () => stop() };
};

/** In the child: waits for the word of its parent. */
export const enginesFromParent = (): Promise<Engines['urls']> =>
  new Promise((resolve) => {
    const listen = (message: unknown): void => {
      const said = (message ?? {}) as { kind?: string } & Engines['urls'];
      if (said.kind !== 'engines') return;
      process.off('message', listen);
      resolve({ eventStoreUrl: said.eventStoreUrl, databaseUrl: said.databaseUrl });
    };
    process.on('message', listen);
  });
