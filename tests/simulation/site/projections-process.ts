import { natsBusOver } from '../../../infra/bus/nats/create-nats-bus.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import { createReadVault } from '../../../infra/vault/create-vault.ts';
import { Keyring } from '../../../infra/vault/keyring.ts';
import { ledgerProjector } from '../../../projections/ledger/projector.ts';
import { createRunner, type Runner } from '../../../projections/runtime/run-projections.ts';
import { tokenListProjector } from '../../../projections/token-list/projector.ts';
import { openNatsClient } from '../bus/nats-client.ts';
import type { NatsServer } from '../bus/nats-server.ts';
import type { SimDatabase } from '../database/sim-database.ts';
import { openRows } from '../database/sim-rows.ts';
import { createLogClient } from '../log/log-client.ts';
import type { LogServer } from '../log/log-server.ts';
import type { Machine } from '../world/machine.ts';
import type { Network } from '../world/network.ts';
import { createRemoteCalls } from '../world/remote-calls.ts';
import { noMetrics } from './no-metrics.ts';
import type { Process } from './process-host.ts';

/** The machine that holds the read models. */
export type DatabaseServer = Readonly<{ database: SimDatabase; machine: Machine }>;

type Needs = Readonly<{
  machine: Machine;
  network: Network;
  bus: NatsServer;
  log: LogServer;
  store: DatabaseServer;
  logger: Logger;
}>;

/** Names are in the clear in these histories. */
const noVault = createReadVault(new Keyring([]));
const logAttemptMs = 6_000;
const queryTimeoutMs = 30_000;

/** The projection runtime with the read models of the money. */
export class ProjectionsProcess implements Process {
  readonly names: readonly string[];
  readonly #runner: Runner;

  constructor({ machine, network, bus: server, log, store, logger }: Needs) {
    const { clock, timers } = machine;
    const toLog = { network, machine, server: log.machine, attemptMs: logAttemptMs };
    const toStore = { network, machine, server: store.machine, attemptMs: queryTimeoutMs };
    const projectors = [ledgerProjector, tokenListProjector({ vault: noVault, logger })];
    this.names = projectors.map(({ name }) => name);
    this.#runner = createRunner({
      rows: openRows({
        database: store.database,
        calls: createRemoteCalls(toStore),
        onBreak: (listener) =>
          network.watch(machine, store.machine, (isUp) => {
            if (!isUp) listener();
          }),
      }),
      eventStore: createLogClient(log, createRemoteCalls(toLog)),
      bus: natsBusOver(openNatsClient({ network, machine, server, logger }), clock),
      projectors,
      clock,
      timers,
      logger,
      metrics: noMetrics,
    });
  }

  start(): Promise<void> {
    return this.#runner.start();
  }

  stop(): Promise<void> {
    return this.#runner.stop();
  }

  /** Projections that have failed. */
  readonly failed = (): readonly string[] =>
    this.#runner
      .status()
      .filter(({ state }) => state === 'failed')
      .map(({ name }) => name);
}
