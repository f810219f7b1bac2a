import { type Channel, channelOfProcess } from '../bus/ipc/channel.ts';
import type { Engines } from './engines.ts';
import { refusedMessage } from './refuse.ts';
import type { Runtime } from './runtime.ts';
import { type ControlSockets, socketsOf } from './socket-directory.ts';
import { supervise } from './supervise.ts';

/** Environment variable: where a child puts its sockets. */
const directoryVariable = 'TOLLGATE_CONTROL_SOCKETS';

type Plan = Readonly<{
  runtime: Runtime;
  dataDir: string;
  /** Where its sockets are, closed to other users. */
  socketDirectory: string;
  /** Set after the child was started, which loads its modules meanwhile. */
  engines: Promise<Engines>;
  /** The channel to a new instance of the control process. */
  onConnection: (channel: Channel) => void;
  /** The child reported why it cannot start; another instance would end the same way. */
  onRefused: () => void;
}>;

export type ControlChild = Readonly<{
  /** Where the instance that serves now listens; null between two instances. */
  sockets: () => ControlSockets | null;
  /** The first instance serves. */
  ready: Promise<void>;
  stop: () => Promise<void>;
}>;

/** Keeps the control process running and sends each instance the addresses of its engines. */
export const superviseControl = (plan: Plan): ControlChild => {
  const { logger } = plan.runtime;
  let sockets: ControlSockets | null = null;
  let announce: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const { stop } = supervise({
    name: 'control',
    entry: 'infra/processes/control',
    // Half of the relay's: its work comes in ticks, and twice as much gained nothing that is seen (decision 0023).
    nodeFlags: ['--min-semi-space-size=16', '--max-semi-space-size=16'],
    env: () => ({
      ...process.env,
      DATA_DIR: plan.dataDir,
      [directoryVariable]: plan.socketDirectory,
    }),
    logger,
    onInstance: (child) => {
      plan.onConnection(channelOfProcess(child));
      child.on('message', (message: unknown) => {
        const received = (message ?? {}) as { kind?: string };
        if (received.kind === refusedMessage.kind) plan.onRefused();
        if (received.kind !== 'control-ready' || child.pid === undefined) return;
        sockets = socketsOf(plan.socketDirectory, child.pid);
        announce();
      });
      child.once('exit', () => {
        sockets = null;
      });
      void plan.engines.then(({ urls, logDatabaseUrl }) => {
        if (!child.connected) return;
        child.send({ kind: 'engines', ...urls, logDatabaseUrl }, () => undefined);
      });
    },
  });
  return { sockets: () => sockets, ready, stop: () => stop() };
};

/** In the child: where it listens. */
export const socketsFromParent = (): ControlSockets =>
  socketsOf(process.env[directoryVariable] ?? '', process.pid);

export type EngineAddresses = Engines['urls'] & Pick<Engines, 'logDatabaseUrl'>;

/** In the child: waits for the addresses that its parent sends. */
export const enginesFromParent = (): Promise<EngineAddresses> =>
  new Promise((resolve) => {
    const listen = (message: unknown): void => {
      const received = (message ?? {}) as { kind?: string } & EngineAddresses;
      if (received.kind !== 'engines') return;
      process.off('message', listen);
      resolve(received);
    };
    process.on('message', listen);
  });
