import type {
  LeaseRecall,
  LeasesRenewed,
  UsageLines,
  UsageSettled,
} from '../../domain/account/messages.ts';
import type { RequestId } from '../../domain/shared/ids.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Gauge, Metrics } from '../../infra/ports/metrics.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import type { JournalEntry, ShippableJournal } from './journal.ts';
import type { RecoveredInstance } from './journal-recovery.ts';
import { RecoveredShipment } from './recovered-shipment.ts';
import { ShippingQueues } from './shipping-queues.ts';
import { ShippingTick, type Tick } from './shipping-tick.ts';
import type { RecordSource, ResendPlan } from './unsettled-batches.ts';

type Settings = Readonly<{
  journal: ShippableJournal;
  bus: Bus;
  timers: Timers;
  logger: Logger;
  metrics: Metrics;
  /** How long records gather before they leave after a quiet moment; 20 ms by default. */
  gatherMs?: number;
  /** Milliseconds between two shipments of usage that no request waits for. */
  tick?: Tick;
  /** How long a start waits for its end before it is announced; 1 s by default. */
  holdStartsMs?: number;
  /** Records kept in memory; beyond it they are read again from the files. */
  maxBacklog?: number;
  /** When what is not settled is sent again. */
  resend?: Partial<ResendPlan>;
  /** How long a stop waits for the keeper; 3 s by default. */
  stopWithinMs?: number;
}>;

export interface Shipper {
  start(): Promise<void>;
  /** Ships what is there within a bound; the rest stays in the files for the next instance. */
  stop(): Promise<void>;
}

const defaultResend: ResendPlan = { graceMs: 1_000, resendAfterMs: 30_000, maxResendMs: 600_000 };
const defaultStopMs = 3_000;
/** How long a stop continues with records that neither the disk nor the log has. */
const lastChanceMs = 15_000;
const readAtOnce = 5_000;

/** Returned quota: a keeper may have recalled it, for a request that waits elsewhere. */
const isAwaited = ({ kind }: JournalEntry): boolean => kind === 'lease-idle';

class JournalShipper implements Shipper {
  readonly #journal: ShippableJournal;
  readonly #bus: Bus;
  readonly #logger: Logger;
  readonly #timers: Timers;
  readonly #queues: ShippingQueues;
  readonly #unshipped: Gauge;
  readonly #unsettled: Gauge;
  readonly #tick: ShippingTick;
  readonly #gatherMs: number;
  readonly #holdStartsMs: number;
  readonly #maxBacklog: number;
  readonly #checkMs: number;
  readonly #stopWithinMs: number;
  /** This journal as the source of what is shipped. */
  readonly #own: RecordSource;
  /** Starts of requests that may end before they have to be announced. */
  #young = new Map<string, JournalEntry>();
  #old = new Map<string, JournalEntry>();
  /** Set while memory is full: everything after this sequence is in the files only. */
  #spilledAfter: number | null = null;
  /** What arrived while the files were being read. */
  #meanwhile: JournalEntry[] | null = null;
  #intervals: readonly Timer[] = [];
  #stops: readonly Stop[] = [];
  #lastSequence = 0;

  constructor(settings: Settings) {
    const { journal, bus, timers, logger, metrics } = settings;
    this.#journal = journal;
    this.#bus = bus;
    this.#logger = logger;
    this.#timers = timers;
    this.#gatherMs = settings.gatherMs ?? 20;
    this.#tick = new ShippingTick({
      timers,
      gatherMs: this.#gatherMs,
      tick: settings.tick,
      ship: () => this.#queues.flush(),
    });
    this.#holdStartsMs = settings.holdStartsMs ?? 1_000;
    this.#maxBacklog = settings.maxBacklog ?? 50_000;
    this.#stopWithinMs = settings.stopWithinMs ?? defaultStopMs;
    this.#unshipped = metrics.gauge({
      name: 'tollgate_usage_unshipped',
      help: 'Usage records of this relay that the bus has not taken over',
    });
    this.#unsettled = metrics.gauge({
      name: 'tollgate_usage_unsettled',
      help: 'Usage records of this relay that were sent and that no keeper has settled',
    });
    const resend = { ...defaultResend, ...settings.resend };
    this.#checkMs = Math.max(1, Math.min(resend.graceMs, resend.resendAfterMs) / 2);
    const queue = bus.queue<UsageLines>('usage');
    const onTaken = (): void => this.#onTaken();
    const { relayId } = journal;
    this.#queues = new ShippingQueues({ relayId, queue, timers, logger, resend, onTaken });
    this.#own = {
      taken: (entries) => journal.release(entries),
      settled: (records) => journal.settled(records),
      readAgain: (sequences) => journal.readAgain(sequences),
    };
    journal.watchBus(() => this.#queues.isTaking());
  }

  async start(): Promise<void> {
    this.#journal.follow((entries) => this.#take(entries));
    this.#intervals = [
      this.#timers.setInterval(() => this.#announce(), this.#holdStartsMs).unref(),
      this.#timers.setInterval(() => this.#queues.check(), this.#checkMs).unref(),
    ];
    this.#stops = await Promise.all([
      this.#bus.subscribe<UsageSettled>('usage.settled', (settled) =>
        this.#queues.settled(settled),
      ),
      this.#bus.subscribe<LeasesRenewed>('lease.renewed', (renewed) =>
        this.#queues.noteAlive(renewed.partitions),
      ),
      this.#bus.subscribe<LeaseRecall>('lease.recall', () =>
        this.#tick.recalled(this.#queues.waiting),
      ),
    ]);
    void this.#shipRecovered();
  }

  async stop(): Promise<void> {
    // What was recorded in this turn of the loop is written at its end, and reaches this point
    // afterwards.
    await new Promise<void>((resolve) => this.#timers.setImmediate(resolve));
    this.#tick.stop();
    this.#queues.flush();
    const isDone = await this.#queues.until(() => this.#isSettled(), this.#stopWithinMs);
    await this.#queues.until(() => this.#isKept(), lastChanceMs);
    for (const interval of this.#intervals) this.#timers.clear(interval);
    this.#queues.stop();
    await Promise.all(this.#stops.map((stop) => stop()));
    if (!isDone) this.#logger.warn({}, 'usage records are left for the next start');
  }

  #isSettled(): boolean {
    return this.#queues.isSettled && this.#spilledAfter === null;
  }

  /** The files have everything, or the log does. */
  #isKept(): boolean {
    return this.#journal.isWritten() || this.#isSettled();
  }

  #take(entries: readonly JournalEntry[]): void {
    this.#lastSequence = entries.at(-1)?.sequence ?? this.#lastSequence;
    if (this.#meanwhile !== null) {
      for (const entry of entries) this.#meanwhile.push(entry);
      return;
    }
    if (this.#spilledAfter !== null) {
      this.#journal.release(entries);
      return;
    }
    for (const entry of entries) this.#route(entry);
    if (this.#queues.waiting > this.#maxBacklog) this.#spill(this.#lastSequence);
    // A client waits for what the memory alone has.
    const isUrgent = entries.some(isAwaited) || !this.#journal.isWritten();
    this.#tick.gather(this.#queues.waiting, isUrgent);
  }

  #route(entry: JournalEntry): void {
    if (entry.kind === 'started' && entry.requestId !== null) {
      this.#young.set(entry.requestId, entry);
      return;
    }
    if (entry.requestId !== null) this.#endStart(entry.requestId);
    this.#queues.add(entry, this.#own);
  }

  #endStart(requestId: RequestId): void {
    const start = this.#young.get(requestId) ?? this.#old.get(requestId);
    if (start === undefined) return;
    if (!this.#young.delete(requestId)) this.#old.delete(requestId);
    this.#journal.release([start]);
  }

  /** By the clock: nothing else happens while the bus or the keepers are away. */
  #measure(): void {
    this.#unshipped.set(this.#queues.waiting);
    this.#unsettled.set(this.#queues.unsettled);
  }

  #onTaken(): void {
    if (this.#spilledAfter !== null && this.#queues.waiting < this.#maxBacklog / 2) {
      void this.#readBack();
    }
  }

  /** Requests that run for longer than a moment are announced, in case this machine is lost. */
  #announce(): void {
    this.#measure();
    for (const entry of this.#old.values()) this.#queues.add(entry, this.#own);
    this.#old = this.#young;
    this.#young = new Map();
    this.#tick.gather(this.#queues.waiting, false);
  }

  #spill(after: number): void {
    this.#spilledAfter = after;
    this.#logger.warn({ waiting: this.#queues.waiting }, 'usage records wait on disk');
  }

  /** Takes the next ones from the files; joins them with what is new when it has caught up. */
  async #readBack(): Promise<void> {
    const after = this.#spilledAfter;
    if (after === null || this.#meanwhile !== null) return;
    this.#meanwhile = [];
    try {
      const entries = await this.#journal.read({ sequence: after, limit: readAtOnce });
      for (const entry of entries) this.#route(entry);
      this.#join(entries.at(-1)?.sequence ?? after, this.#meanwhile);
    } catch (error) {
      this.#logger.error({ error: String(error) }, 'the journal could not be read back');
    } finally {
      this.#meanwhile = null;
      this.#queues.flush();
      // Empty queues would not wake it again when all that was read are starts.
      if (this.#spilledAfter !== null && this.#queues.waiting === 0) this.#readBackLater();
    }
  }

  /**
   * `last`: the newest sequence read back. Routes what arrived meanwhile, if nothing is between.
   */
  #join(last: number, meanwhile: readonly JournalEntry[]): void {
    const rest = meanwhile.filter(({ sequence }) => sequence > last);
    const isJoined = last >= (rest[0]?.sequence ?? this.#lastSequence + 1) - 1;
    this.#spilledAfter = isJoined ? null : last;
    if (isJoined) for (const entry of rest) this.#route(entry);
  }

  #readBackLater(): void {
    this.#timers.setTimeout(() => void this.#readBack(), this.#gatherMs).unref();
  }

  async #shipRecovered(): Promise<void> {
    for (const instance of this.#journal.recovered) {
      try {
        await this.#shipInstance(instance);
      } catch (error) {
        this.#failed(instance, error);
      }
    }
  }

  async #shipInstance(instance: RecoveredInstance): Promise<void> {
    const drop = (): void => {
      instance.drop().catch((error: unknown) => this.#failed(instance, error));
    };
    await new RecoveredShipment(instance, drop).run({
      add: (entry, source) => this.#queues.add(entry, source),
      flush: () => this.#queues.flush(),
    });
  }

  #failed({ relayId }: RecoveredInstance, error: unknown): void {
    this.#logger.error({ instance: relayId, error: String(error) }, 'a journal is unreadable');
  }
}

export const createShipper = (settings: Settings): Shipper => new JournalShipper(settings);
