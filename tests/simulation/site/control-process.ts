import { createHandle } from '../../../command-api/commands/handle-command.ts';
import type { PersonalKeys } from '../../../command-api/identity/personal-keys.ts';
import { createKeeper, type Keeper } from '../../../command-api/keeper/create-keeper.ts';
import { createSiteOptions } from '../../../command-api/options/site-options.ts';
import { createCheckpoints } from '../../../command-api/processes/checkpoints.ts';
import { createProcesses } from '../../../command-api/processes/processes.ts';
import { createProcessRunner } from '../../../command-api/processes/run-processes.ts';
import { natsBusOver } from '../../../infra/bus/nats/create-nats-bus.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import { openNatsClient } from '../bus/nats-client.ts';
import type { NatsServer } from '../bus/nats-server.ts';
import { createLogClient } from '../log/log-client.ts';
import type { LogServer } from '../log/log-server.ts';
import type { Machine } from '../world/machine.ts';
import type { Network } from '../world/network.ts';
import { createRemoteCalls } from '../world/remote-calls.ts';
import { noMetrics } from './no-metrics.ts';
import type { Process } from './process-host.ts';
import type { Provider } from './provider.ts';
import { TaskPolling } from './task-polling.ts';

type Needs = Readonly<{
  machine: Machine;
  network: Network;
  bus: NatsServer;
  log: LogServer;
  logger: Logger;
  leaseTtlMs: number;
  /** Whom tasks are polled from; null in histories without tasks. */
  provider: Provider | null;
  hasBatches: boolean;
  /** Ends the process, as at `process.exit`. */
  exit: () => void;
}>;

/** How long the adapter waits for one answer of the log. */
const attemptMs = 6_000;

/** No person is deleted in these histories. */
const noDepartures: Pick<PersonalKeys, 'destroy'> = { destroy: async () => undefined };

/** One command API without its routes: the keeper of the accounts and the process managers. */
export class ControlProcess implements Process {
  readonly keeper: Keeper;
  readonly commands: ReturnType<typeof createHandle>;
  readonly runner: ReturnType<typeof createProcessRunner>;
  readonly #polling: TaskPolling | null;

  constructor(needs: Needs) {
    const { machine, network, bus: server, log, logger, leaseTtlMs, provider, exit } = needs;
    const { clock, timers, random } = machine;
    const calls = createRemoteCalls({
      network,
      machine,
      server: log.machine,
      attemptMs,
      workMs: () => random.fraction() * 2,
    });
    const eventStore = createLogClient(log, calls);
    const bus = natsBusOver(openNatsClient({ network, machine, server, logger }), clock);
    const metrics = noMetrics;
    this.keeper = createKeeper({
      eventStore,
      bus,
      clock,
      timers,
      random,
      logger,
      metrics,
      leaseTtlMs,
      keeperId: random.uuid(),
    });
    const commands = createHandle({ eventStore, isLive: () => this.runner.isLive() });
    this.commands = commands;
    this.runner = createProcessRunner({
      eventStore,
      bus,
      timers,
      logger,
      processes: createProcesses({
        accounts: this.keeper,
        commands,
        options: createSiteOptions(commands),
        personalKeys: noDepartures as PersonalKeys,
        logger,
      }),
      checkpoints: createCheckpoints({ eventStore, clock, random }),
      observe: commands.observe,
      onLogReplaced: exit,
    });
    this.#polling =
      provider === null
        ? null
        : new TaskPolling({
            ...{ machine, network, provider, log, commands, logger },
            bus: needs.hasBatches ? bus : null,
          });
  }

  async start(): Promise<void> {
    await this.keeper.start();
    await this.runner.start();
    await this.#polling?.start();
  }

  async stop(): Promise<void> {
    this.#polling?.stop();
    await this.keeper.stop();
    await this.runner.stop();
  }
}
