import type { UsageBatch } from '../../domain/account/messages.ts';
import type { RelayId } from '../../domain/shared/ids.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { JournalEntry } from './journal.ts';
import { fittingInto, textOf } from './record-bytes.ts';
import {
  type Batch,
  type RecordSource,
  type ResendPlan,
  UnsettledBatches,
} from './unsettled-batches.ts';

/** A record that no batch has taken up yet. */
type Load = Readonly<{ entry: JournalEntry; source: RecordSource }>;
/** A batch and its records, while it is on its way to the bus. */
type Parcel = Readonly<{ batch: Batch; entries: readonly JournalEntry[] }>;

export type PartitionDeps = Readonly<{
  relayId: RelayId;
  logger: Logger;
  /** Monotonic, in milliseconds. */
  now: () => number;
  /** Rises with each call, over all partitions. */
  nextBatch: () => number;
  publish: (partition: number, texts: readonly string[]) => Promise<void>;
  /** Resolves after the time or when the shipping stops. */
  pause: (ms: number) => Promise<void>;
  /** So many records are no longer waiting for the bus. */
  onTaken: (records: number) => void;
}>;

/** Records of one publish. */
const maxBatch = 256;
const firstRetryMs = 50;
const maxRetryMs = 2_000;
/** More than the first line of a batch takes. */
const firstLineBytes = 512;

/** One publish at a time, in order, until the bus has taken it; again where the keeper does not settle. */
export class ShippingPartition {
  readonly partition: number;
  readonly unsettled: UnsettledBatches;
  readonly #deps: PartitionDeps;
  #queue: Load[] = [];
  /** So many of the queue have gathered for long enough; those after them wait for their flush. */
  #due = 0;
  /** Batches to be sent again, before anything else. */
  #again: Batch[] = [];
  #isRunning = false;
  #isStopped = false;
  /** Since when the publish that is under way has run, or has been tried; null: none. */
  #publishingSince: number | null = null;
  #hasFailed = false;

  constructor(partition: number, deps: PartitionDeps) {
    this.partition = partition;
    this.#deps = deps;
    this.unsettled = new UnsettledBatches(partition, deps.now);
  }

  add(entry: JournalEntry, source: RecordSource): void {
    this.#queue.push({ entry, source });
  }

  /** False while the last publish has failed, or has run for longer than that. */
  isTaking(overdueMs: number): boolean {
    if (this.#hasFailed) return false;
    return this.#publishingSince === null || this.#deps.now() - this.#publishingSince < overdueMs;
  }

  /** Nothing waits for the bus or for the keeper. */
  get isSettled(): boolean {
    return this.#queue.length === 0 && this.unsettled.isEmpty && this.#again.length === 0;
  }

  /** Everything that has gathered is to leave. */
  flush(): void {
    this.#due = this.#queue.length;
    this.#start();
  }

  /** Sends again what has stayed without an answer for too long. */
  check(plan: ResendPlan): void {
    if (this.unsettled.check(plan)) this.#start();
  }

  stop(): void {
    this.#isStopped = true;
  }

  settled(batches: readonly number[]): void {
    const done = this.#again.filter(({ number }) => batches.includes(number));
    if (done.length > 0) this.#again = this.#again.filter((batch) => !done.includes(batch));
    for (const batch of done) this.unsettled.doneWith(batch, this.#again);
    this.unsettled.settled(batches, this.#again);
    this.#start();
  }

  #start(): void {
    const hasWork = this.#due > 0 || this.#again.length > 0 || this.unsettled.isResendDue;
    if (hasWork && !this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (!this.#isStopped) {
      // Checked between two publishes, so that what is sent again is not overtaken by new records.
      if (this.unsettled.isResendDue) this.#again.unshift(...this.unsettled.takeForResend());
      if (this.#again.length > 0) await this.#sendAgain();
      else if (this.#due > 0) await this.#sendNext();
      else break;
    }
    this.#isRunning = false;
  }

  async #sendNext(): Promise<void> {
    const parcels = this.#nextParcels();
    if (!(await this.#send(parcels))) return;
    let records = 0;
    for (const { batch, entries } of parcels) {
      batch.source.taken(entries);
      records += entries.length;
    }
    this.#queue.splice(0, records);
    this.#due = Math.max(0, this.#due - records);
    this.#deps.onTaken(records);
  }

  async #sendAgain(): Promise<void> {
    const [old] = this.#again;
    if (old === undefined) return;
    const { source, starts, sequences } = old;
    const entries = await this.#readAgain(source, [...starts, ...sequences].sort(byNumber));
    // The answer to the first sending may have arrived meanwhile.
    if (this.#again[0] !== old) return;
    this.#again.shift();
    const batch = this.unsettled.replace(old, this.#deps.nextBatch());
    const found = entries.filter(({ kind }) => kind !== 'started').length;
    if (found < sequences.length) this.#noteMissing(sequences.length - found);
    if (entries.length > 0) await this.#send([{ batch, entries }]);
    // Only starts of requests that have ended since.
    else if (sequences.length === 0) this.unsettled.settled([batch.number], this.#again);
    // To be tried again later; what comes after it has its turn.
    else this.#noteTaken([{ batch, entries }]);
  }

  async #readAgain(source: RecordSource, sequences: readonly number[]) {
    try {
      return await source.readAgain(sequences);
    } catch (error) {
      const { partition } = this;
      this.#deps.logger.error({ partition, error: String(error) }, 'the journal is not readable');
      return [];
    }
  }

  #noteMissing(missing: number): void {
    const { partition } = this;
    this.#deps.logger.error({ partition, missing }, 'records could not be read to be sent again');
  }

  /** As many batches as one publish takes; each is one text and of one source. */
  #nextParcels(): Parcel[] {
    const parcels: Parcel[] = [];
    const loads = this.#queue.slice(0, maxBatch);
    for (let at = 0; at < loads.length; ) {
      const source = loads[at]?.source;
      if (source === undefined) break;
      const end = loads.findIndex((load, index) => index > at && load.source !== source);
      const own = loads.slice(at, end === -1 ? loads.length : end).map(({ entry }) => entry);
      for (let from = 0; from < own.length; ) {
        const entries = own.slice(from, from + fittingInto(own, from, firstLineBytes));
        const batch = this.unsettled.add(this.#deps.nextBatch(), source, entries);
        parcels.push({ batch, entries });
        from += entries.length;
      }
      at += own.length;
    }
    return parcels;
  }

  #textsOf(parcels: readonly Parcel[]): string[] {
    const { relayId } = this.#deps;
    return parcels.map(({ batch, entries }) => {
      const isOldest = batch.resent > 0 && this.unsettled.isOldest(batch, this.#again);
      const firstLine: UsageBatch = {
        kind: 'batch',
        relayId,
        batch: batch.number,
        ...(isOldest && { isOldest }),
      };
      return textOf(JSON.stringify(firstLine), entries);
    });
  }

  /** False only when the shipping was stopped. */
  async #send(parcels: readonly Parcel[]): Promise<boolean> {
    const { partition } = this;
    this.#publishingSince = this.#deps.now();
    for (let delayMs = firstRetryMs; !this.#isStopped; delayMs *= 2) {
      try {
        // The texts are made again for each try, so that nothing references them while the bus
        // works.
        await this.#deps.publish(partition, this.#textsOf(parcels));
        return this.#noteTaken(parcels);
      } catch (error) {
        // The bus took it all the same, and only its answer was lost.
        if (!parcels.some(({ batch }) => this.unsettled.has(batch)))
          return this.#noteTaken(parcels);
        const detail = { partition, error: String(error) };
        if (!this.#hasFailed) this.#deps.logger.warn(detail, 'usage waits for the bus');
        this.#hasFailed = true;
        await this.#deps.pause(Math.min(delayMs, maxRetryMs));
      }
    }
    return false;
  }

  #noteTaken(parcels: readonly Parcel[]): true {
    const now = this.#deps.now();
    for (const { batch } of parcels) {
      batch.isTaken = true;
      batch.sentAt = now;
    }
    this.#hasFailed = false;
    this.#publishingSince = null;
    return true;
  }
}

const byNumber = (a: number, b: number): number => a - b;
