import { randomUUID } from 'node:crypto';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { followAll, followStream, type Step } from '../log/follow.ts';
import { resolveLink } from '../log/links.ts';
import type { Log } from '../log/log.ts';
import type { NodeContext } from '../node-context.ts';
import type { LogRecord } from '../types.ts';
import { streamDeletedError, unavailable } from '../wire/errors.ts';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  eventResponse,
  streamNotFoundResponse,
} from '../wire/read-response.ts';
import { asServiceError, callSignal, send } from './calls.ts';
import { sendPacked } from './packing.ts';
import { type ReadPlan, readPlan } from './read-plan.ts';

type Call = ServerWritableStream<ReadReq, Buffer>;
type Reading = Readonly<{ call: Call; plan: ReadPlan; log: Log; signal: AbortSignal }>;

const pageSize = 512;

const responseOf = async ({ plan, log }: Reading, record: LogRecord): Promise<Buffer> => {
  const resolved = plan.resolveLinks ? await resolveLink(log, record) : { record, link: null };
  return eventResponse(resolved, plan.uuidForm);
};

const sendRecords = async (reading: Reading, records: readonly LogRecord[]): Promise<void> => {
  const { call, plan, signal } = reading;
  const responses = plan.resolveLinks
    ? await Promise.all(records.map((record) => responseOf(reading, record)))
    : records.map((record) => eventResponse({ record, link: null }, plan.uuidForm));
  if (signal.aborted) return;
  await sendPacked(call as never, responses, signal);
};

const endOfAll = ({ plan, log }: Reading): number => {
  if (plan.place === 'start') return plan.direction === 'forwards' ? 1 : 0;
  if (plan.place === 'end') return log.commits.head + 1;
  return plan.place;
};

/** Sends those of a page that pass the filter, up to `left`; answers how many may follow. */
const sendMatching = async (
  reading: Reading,
  records: readonly LogRecord[],
  left: number,
): Promise<number> => {
  if (left <= 0 || reading.signal.aborted) return 0;
  const { filter } = reading.plan;
  const matching = filter === null ? records : records.filter((record) => filter.matches(record));
  const wanted = matching.length > left ? matching.slice(0, left) : matching;
  await sendRecords(reading, wanted);
  return reading.signal.aborted ? 0 : left - wanted.length;
};

const readAll = async (reading: Reading): Promise<void> => {
  const { plan, log } = reading;
  const after = plan.direction === 'forwards' ? 1 : 0;
  let cursor = endOfAll(reading);
  let left = plan.count ?? 0;
  const limit = plan.filter === null ? Math.min(left, pageSize) : pageSize;
  let page: Promise<readonly LogRecord[]> | null = null;
  while (left > 0) {
    const records: readonly LogRecord[] = await (page ??
      log.readAll(cursor, plan.direction, limit));
    const last = records.at(-1);
    if (last === undefined) return;
    cursor = last.position + after;
    const isMore = plan.filter !== null || left > records.length;
    // The next page is read while this one is sent; a reader who leaves early does not need it.
    page = isMore ? log.readAll(cursor, plan.direction, limit) : null;
    page?.catch(() => undefined);
    left = await sendMatching(reading, records, left);
  }
};

const startOfStream = ({ place }: ReadPlan): number => {
  if (place === 'start') return 0;
  return place === 'end' ? Number.MAX_SAFE_INTEGER : place;
};

const revisionAfter = ({ revision }: LogRecord, { direction }: ReadPlan): number =>
  direction === 'forwards' ? revision + 1 : revision - 1;

const readStream = async (reading: Reading, stream: string): Promise<void> => {
  const { call, plan, log, signal } = reading;
  let from = startOfStream(plan);
  let left = plan.count ?? 0;
  while (!signal.aborted) {
    const limit = Math.min(left, pageSize);
    const page = await log.readStream({ stream, from, direction: plan.direction, limit });
    if (page.kind === 'stream-deleted') throw streamDeletedError(stream);
    if (page.kind === 'not-found') {
      await send(call as never, streamNotFoundResponse(stream), signal);
      return;
    }
    await sendRecords(reading, page.records);
    left -= page.records.length;
    const last = page.records.at(-1);
    if (last === undefined || left <= 0) return;
    from = revisionAfter(last, plan);
    if (from < 0) return;
  }
};

const lastRevision = async (log: Log, stream: string): Promise<number> =>
  (await log.state(stream)).lastRevision;

const steps = async ({ plan, log, signal }: Reading): Promise<AsyncGenerator<Step>> => {
  const { stream, place } = plan;
  if (stream === null) {
    const position = place === 'end' ? log.commits.head : place === 'start' ? 0 : place;
    return followAll(log, position, signal);
  }
  const first = place === 'start' ? -1 : place;
  const revision = first === 'end' ? await lastRevision(log, stream) : first;
  return followStream(log, { stream, revision }, signal);
};

/** Sends what passes the filter; between matches, checkpoints report how far the search is. */
class FilteredSender {
  readonly #reading: Reading;
  #considered = 0;
  #isLive = false;
  #last: number | null = null;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async records(records: readonly LogRecord[]): Promise<void> {
    const { filter } = this.#reading.plan;
    let matching: LogRecord[] = [];
    for (const record of records) {
      this.#last = record.position;
      if (filter === null || filter.matches(record)) matching.push(record);
      if (filter === null) continue;
      this.#considered += 1;
      if (this.#considered < filter.checkpointInterval) continue;
      await sendRecords(this.#reading, matching);
      matching = [];
      await this.#checkpoint();
    }
    await sendRecords(this.#reading, matching);
  }

  async caughtUp(): Promise<void> {
    if (this.#isLive) return;
    this.#isLive = true;
    if (this.#reading.plan.filter !== null) await this.#checkpoint();
    await send(this.#reading.call as never, caughtUpResponse, this.#reading.signal);
  }

  async #checkpoint(): Promise<void> {
    this.#considered = 0;
    if (this.#last === null) return;
    const bytes = checkpointResponse(this.#last);
    await send(this.#reading.call as never, bytes, this.#reading.signal);
  }
}

const subscribe = async (reading: Reading): Promise<void> => {
  const { call, plan, signal } = reading;
  const sender = new FilteredSender(reading);
  const following = await steps(reading);
  await send(call as never, confirmationResponse(randomUUID()), signal);
  for await (const step of following) {
    if (step === 'caught-up') await sender.caughtUp();
    else if (step === 'stream-deleted') throw streamDeletedError(plan.stream ?? '$all');
    else await sender.records(step.records);
  }
};

export const readHandler =
  (context: NodeContext) =>
  (call: Call): void => {
    const run = async (): Promise<void> => {
      const plan = readPlan(call.request);
      const signal = callSignal(call as never, context.stopping);
      const reading = { call, plan, log: context.log, signal };
      if (plan.count === null) await subscribe(reading);
      else if (plan.stream === null) await readAll(reading);
      else await readStream(reading, plan.stream);
      if (context.stopping.aborted) throw unavailable('the event store is closing');
      if (!call.cancelled) call.end();
    };
    run().catch((error: unknown) => {
      if (!call.cancelled) call.emit('error', asServiceError(error, context));
    });
  };
