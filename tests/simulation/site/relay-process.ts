import { natsBusOver } from '../../../infra/bus/nats/create-nats-bus.ts';
import type { Bus, Stop } from '../../../infra/ports/bus.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import type { ProcessTable } from '../../../infra/ports/process-table.ts';
import { type Metering, openMetering } from '../../../infra/processes/relay-metering.ts';
import { openNatsClient } from '../bus/nats-client.ts';
import type { NatsServer } from '../bus/nats-server.ts';
import type { SimDisk } from '../disk/sim-disk.ts';
import { type CallPlan, type LeaseTimes, type ModelPrice, tokenIdOf } from '../history.ts';
import type { LogServer } from '../log/log-server.ts';
import { quoteOf } from '../oracle/calculator.ts';
import type { CallTruth, Truth } from '../oracle/truth.ts';
import type { Machine } from '../world/machine.ts';
import type { Network } from '../world/network.ts';
import { serveBatchPolls } from './batch-polls.ts';
import { findCache } from './cache-reads.ts';
import { segmentBytes } from './limits.ts';
import { noMetrics } from './no-metrics.ts';
import type { Process } from './process-host.ts';
import type { Provider } from './provider.ts';
import { RelayCall, type RelayCallNeeds } from './relay-call.ts';
import { RelaySession, type SessionClient } from './relay-session.ts';
import { RelayTask } from './relay-task.ts';

type Needs = Readonly<{
  machine: Machine;
  network: Network;
  bus: NatsServer;
  disk: SimDisk;
  provider: Provider;
  /** Behind the read model of tasks. */
  log: LogServer;
  hasBatches: boolean;
  logger: Logger;
  preConsumedTokens: number;
  leases: LeaseTimes;
  now: () => number;
  truth: Truth;
  prices: readonly ModelPrice[];
  closedTokens: ReadonlySet<number>;
}>;

/** A stop waits so long for requests in flight (`create-relay.ts`). */
const stopGraceMs = 10_000;
const pollMs = 25;

const isTask = ({ task, batch, cache }: CallPlan): boolean =>
  task !== undefined || batch !== undefined || cache !== undefined;

/** One relay instance: the product's metering, and calls in place of sockets. */
export class RelayProcess implements Process {
  readonly #needs: Needs;
  readonly #metering: Metering;
  readonly #bus: Bus;
  readonly #prices: ModelPrice[];
  #stopPolls: Stop = async () => undefined;
  readonly #sessions = new Set<RelaySession>();
  #running = 0;
  #isOpen = false;

  constructor(needs: Needs) {
    const { machine, network, bus, disk, logger, leases } = needs;
    this.#needs = needs;
    this.#prices = [...needs.prices];
    const { life } = machine;
    const processTable: ProcessTable = {
      own: () => ({ pid: life, startedAt: machine.name }),
      isAlive: ({ pid }) => machine.isUp && pid === machine.life,
    };
    const link = openNatsClient({ network, machine, server: bus, logger });
    this.#bus = natsBusOver(link, machine.clock);
    this.#metering = openMetering({
      bus: this.#bus,
      clock: machine.clock,
      system: { timers: machine.timers, random: machine.random, files: disk, processTable },
      logger,
      metrics: noMetrics,
      name: machine.name,
      directory: 'journal',
      leaseTtlMs: leases.ttlMs,
      idleMs: leases.idleMs,
      segmentBytes,
    });
  }

  get relayId(): string {
    return this.#metering.relayId;
  }

  async start(): Promise<void> {
    await this.#metering.start();
    const { machine, network, provider, log, logger, hasBatches } = this.#needs;
    if (hasBatches) {
      const site = { machine, network, provider, log, logger };
      const { journal } = this.#metering;
      this.#stopPolls = await serveBatchPolls({ ...site, bus: this.#bus, journal });
    }
    this.#isOpen = true;
  }

  async stop(): Promise<void> {
    const { timers } = this.#needs.machine;
    this.#isOpen = false;
    for (const session of this.#sessions) session.leave();
    const end = timers.now() + stopGraceMs;
    while (this.#running > 0 && timers.now() < end) {
      await new Promise<void>((resolve) => void timers.setTimeout(resolve, pollMs));
    }
    for (const session of [...this.#sessions]) session.kill();
    await this.#stopPolls();
    await this.#metering.stop();
  }

  setPrice(model: number, price: ModelPrice): void {
    this.#prices[model] = price;
  }

  /** Runs in the process that the call reached. */
  serve(
    truth: CallTruth,
    reply: (outcome: 'answered' | 'refused' | 'failed', detail: string) => void,
    client: SessionClient | null,
  ) {
    if (!this.#isOpen) {
      reply('failed', 'the relay is not open');
      return;
    }
    if (!this.#metering.journal.accepting()) {
      reply('failed', 'usage cannot be recorded');
      return;
    }
    const { machine, provider, preConsumedTokens, now, closedTokens } = this.#needs;
    const { model, customer, token } = truth.plan;
    if (closedTokens.has(tokenIdOf(customer, token))) {
      reply('failed', 'the token is deleted');
      return;
    }
    const price = this.#prices[model];
    if (price === undefined) throw new Error(`no price of model ${model}`);
    truth.price = price;
    truth.relayLife = this.relayId;
    this.#running += 1;
    const needs = {
      machine,
      metering: this.#metering,
      provider,
      quote: this.#quote(model, price),
      preConsumedTokens,
      truth,
      now,
      onAsked: this.#needs.truth.onAsked,
      onRefused: this.#needs.truth.onRefused,
      reply: (outcome: 'answered' | 'refused' | 'failed', detail: string) => {
        this.#running -= 1;
        reply(outcome, detail);
      },
    } satisfies RelayCallNeeds;
    const { plan } = truth;
    if (client !== null) this.#serveSession(needs, client);
    else if (plan.cache?.does === 'read') void this.#serveRead(needs);
    else void (isTask(plan) ? new RelayTask(needs) : new RelayCall(needs)).start();
  }

  #serveSession(needs: RelayCallNeeds, client: SessionClient): void {
    const { logger, closedTokens } = this.#needs;
    const reply: RelayCallNeeds['reply'] = (outcome, detail) => {
      this.#sessions.delete(session);
      needs.reply(outcome, detail);
    };
    const session = new RelaySession({ ...needs, reply, logger, closedTokens, client });
    this.#sessions.add(session);
    void session.start();
  }

  async #serveRead(needs: RelayCallNeeds): Promise<void> {
    const { log, truth } = this.#needs;
    const cache = await findCache({ log, truth }, needs.truth.plan);
    if (cache === null) needs.reply('failed', 'there is no cache of this name');
    else await new RelayCall({ ...needs, cache }).start();
  }

  readonly #quotes = new Map<ModelPrice, ReturnType<typeof quoteOf>>();
  #quote(model: number, price: ModelPrice) {
    const known = this.#quotes.get(price);
    if (known !== undefined) return known;
    const quote = quoteOf(model, price);
    this.#quotes.set(price, quote);
    return quote;
  }
}
