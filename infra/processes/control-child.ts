import { type Channel, channelOfProcess } from '../bus/ipc/channel.ts';
import type { Engines } from './engines.ts';
import type { Foundation } from './foundation.ts';
import { refusedMessage } from './refuse.ts';
import { type ControlSockets, socketsOf } from './socket-directory.ts';
import { supervise } from './supervise.ts';

/** Tells a child where its sockets are. */
const directoryVariable = 'TOLLGATE_CONTROL_SOCKETS';

type Plan = Readonly<{
  foundation: Foundation;
  dataDir: string;
  /** Where its sockets are, closed to other users. */
  socketDirectory: string;
  /** Known later than the child is born: it reads its modules meanwhile. */
  engines: Promise<Engines['urls']>;
  /** The line to a new life of the control process. */
  onLine: (channel: Channel) => void;
  /** The child has said why it cannot start, and would say so again. */
  onRefused: () => void;
}>;

export type ControlChild = Readonly<{
  /** Where the instance that serves now listens; null between two instances. */
  sockets: () => ControlSockets | null;
  stop: () => Promise<void>;
}>;

/** Keeps the control process alive and tells each life where its engines are. */
export const superviseControl = (plan: Plan): ControlChild => {
  const { logger } = plan.foundation;
  let sockets: ControlSockets | null = null;
  const { stop } = supervise({
    name: 'control',
    entry: 'infra/processes/control',
    env: () => ({
      ...process.env,
      DATA_DIR: plan.dataDir,
      [directoryVariable]: plan.socketDirectory,
    }),
    logger,
    onLife: (child) => {
      plan.onLine(channelOfProcess(child));
      child.on('message', (message: unknown) => {
        const said = (message ?? {}) as { kind?: string };
        if (said.kind === refusedMessage.kind) plan.onRefused();
        if (said.kind !== 'control-ready' || child.pid === undefined) return;
        sockets = socketsOf(plan.socketDirectory, child.pid);
      });
      child.once('exit', () => {
        sockets = null;
      });
      void plan.engines.then((urls) => {
        if (child.connected) child.send({ kind: 'engines', ...urls }, () => undefined);
      });
    },
  });
  return { sockets: () => sockets, stop: () => stop() };
};

/** In the child: where it listens. */
export const socketsFromParent = (): ControlSockets =>
  socketsOf(process.env[directoryVariable] ?? '', process.pid);

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
