import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { TaskFacts } from '../../domain/task/events.ts';
import type { FoundTask } from '../../domain/task/messages.ts';
import { emptyReport } from '../../domain/task/report.ts';
import type { Incoming, TaskCall } from '../admission/admitted.ts';
import { type CallPermit, isPermit } from '../admission/call-limits/call-limiter.ts';
import { limitsOf, permitFor } from '../admission/call-limits/with-permit.ts';
import type { Caller } from '../admission/caller.ts';
import type { Reservation, ReserveResult } from '../admission/lease-book.ts';
import { refusalError } from '../admission/refusals.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { sendJson } from '../protocol/answer-head.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import { type AcceptedTask, Charge, limitedTokens } from '../settlement/charge.ts';
import { Funding } from '../settlement/funding.ts';
import { isoTime } from '../settlement/iso-time.ts';
import { untilShown } from './find.ts';
import type { Job, TakenJob } from './job.ts';
import { tryChannels } from './try-channels.ts';

type Priced = Pick<Job, 'caller' | 'quote' | 'usage'>;

/** Reserves the price of a task; null where it is free. */
export const reserveFor = async (
  { leaseBook }: Pick<RelayCore, 'leaseBook'>,
  { caller, quote, usage }: Priced,
): Promise<Reservation | null | Extract<ReserveResult, { kind: 'refused' }>> => {
  const need = price(usage, quote);
  if (need === 0) return null;
  const { tokenId } = caller;
  const { userId } = caller.account;
  const warm = leaseBook.tryReserve(userId, tokenId, need);
  if (warm !== null) return warm;
  const result = await leaseBook.reserve({ userId, tokenId, need });
  return result.kind === 'reserved' ? result.reservation : result;
};

type Limited = Readonly<{ caller: Caller; group: string; model: string; usage: Usage }>;

/** A task counts as a call for as long as its provider is called for it; or why not now. */
export const taskPermit = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, group, model, usage }: Limited,
): Promise<CallPermit | ApiError | null> => {
  const limits = limitsOf(core, caller, { group, call: { model } });
  const need = () => ({ prompt: limitedTokens(usage), output: 0 });
  const permit = await permitFor(core, incoming, { limits, need });
  if (permit === null || isPermit(permit)) return permit;
  const { retryAfterSeconds } = permit;
  if (retryAfterSeconds !== undefined) incoming.res.setHeader('Retry-After', retryAfterSeconds);
  return permit;
};

type Admitted = Readonly<{
  caller: Caller;
  facts: Job['facts'];
  quote: Quote;
  /** The channel that is called first. */
  channelId: ChannelId;
  reservation: Reservation | null;
  permit: CallPermit | null;
}>;

export type RunningTask = Readonly<{ charge: Charge<TaskCall>; facts: TaskFacts }>;

const pathOf = ({ req: { url = '/' } }: Pick<Incoming, 'req'>): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};

/** Records that a task begins, before its provider is called. */
export const startTask = (
  core: Pick<RelayCore, 'journal' | 'leaseBook' | 'clock' | 'counting'>,
  incoming: Pick<Incoming, 'req' | 'requestId' | 'progress'>,
  { caller, facts: own, quote, channelId, reservation, permit }: Admitted,
): RunningTask => {
  const { requestId, progress } = incoming;
  progress.isAdmitted = true;
  const startedAtMs = core.clock().getTime();
  const facts: TaskFacts = {
    taskId: requestId,
    platform: own.platform,
    userId: caller.account.userId,
    tokenId: caller.tokenId,
    channelId,
    action: own.action,
    model: own.model,
    group: own.group,
    prompt: own.prompt,
    state: own.state,
    properties: own.properties,
    submittedAt: isoTime(startedAtMs),
  };
  const { model, group } = facts;
  const call: TaskCall = {
    ...{ requestId, caller, path: pathOf(incoming), group, quote, permit, startedAtMs },
    call: { model, isStream: false },
    reservation,
    task: facts,
  };
  const options = { quote, coveredTokens: 0, outputLimit: null };
  const funding =
    reservation === null ? null : new Funding(core.leaseBook, { reservation, ...options });
  const charge = new Charge<TaskCall>(core, call, funding);
  charge.start();
  return { charge, facts };
};

type Accepted = Readonly<{
  taken: TakenJob;
  quote: Quote;
  usage: Usage;
  channelId: ChannelId;
  tried: readonly ChannelId[];
}>;

/** The outcome of a task that a provider accepted. */
export const acceptedTask = (
  { taskId, platform, userId }: TaskFacts,
  { taken, quote, usage, channelId }: Omit<Accepted, 'tried'>,
  acceptedAt: string,
): AcceptedTask => ({
  kind: 'accepted',
  ...{ taskId, platform, userId, channelId },
  upstreamId: taken.upstreamId,
  code: 0,
  description: '',
  quota: price(taken.used ?? usage, quote),
  acceptedAt,
  properties: '',
  report: null,
  ...taken.details,
});

/** Charges accepted work. Also when the caller left meanwhile: it is part of his list. */
export const acceptTask = async (
  core: RelayCore,
  { charge, facts }: RunningTask,
  accepted: Accepted,
): Promise<FoundTask> => {
  const { taken, usage, channelId, tried } = accepted;
  const { upstreamId, upstreamModel = facts.model, used = usage } = taken;
  const outcome = acceptedTask(facts, accepted, isoTime(core.clock().getTime()));
  const use = { usage: used, source: 'upstream', note: null, end: 'complete', outcome } as const;
  await charge.whenUsed(use, { channelId, tried, upstreamModel, firstByteMs: null });
  const { taskId, platform, userId, action, prompt, submittedAt, properties } = facts;
  await untilShown(core, platform, { taskId, upstreamId });
  const report = outcome.report ?? { ...emptyReport, status: 'QUEUED' };
  const submittedMs = Date.parse(submittedAt);
  const names = { taskId, upstreamId, userId, channelId, action, prompt, submittedMs };
  return { ...names, report: { ...report, properties } };
};

type Refused = Readonly<{ status: number; code: number | null; reason: string }>;

const refuseTask = (
  { charge, facts }: RunningTask,
  { status, code, reason }: Refused,
  { channelId, tried }: Readonly<{ channelId: ChannelId; tried: readonly ChannelId[] }>,
): Promise<void> => {
  const error = { type: 'upstream_error', code, message: reason };
  const outcome = { kind: 'refused', code, reason } as const;
  const attempt = { channelId, tried, upstreamModel: facts.model, firstByteMs: null };
  return charge.whenFailed({ error, status, outcome }, attempt);
};

/** Calls one provider after the other, records the outcome, and answers. */
const carryOut = async (core: RelayCore, incoming: Incoming, work: Job & RunningTask) => {
  const { destination, facts, quote, usage } = work;
  const attempts = await tryChannels(core, destination, (channel) => work.submit(channel, facts));
  const { result, tried } = attempts;
  const { channelId } = attempts.channel;
  if (result.kind === 'refused') {
    await refuseTask(work, result.refusal, { channelId, tried });
    result.refusal.send(incoming);
    return;
  }
  const task = await acceptTask(core, work, { taken: result, quote, usage, channelId, tried });
  sendJson(incoming, 200, result.shown(task));
};

/** Only drawings number their failures. */
const crashCode = ({ platform }: TaskFacts): number | null => (platform === 'mj' ? 5 : null);

const run = async (core: RelayCore, incoming: Incoming, work: Job & RunningTask): Promise<void> => {
  core.meters.exchangeBegan(false);
  try {
    await carryOut(core, incoming, work);
  } catch (error) {
    const refusal = { status: 500, code: crashCode(work.facts), reason: 'internal_error' };
    const { channelId } = work.facts;
    if (!work.charge.isRecorded) await refuseTask(work, refusal, { channelId, tried: [channelId] });
    throw error;
  } finally {
    core.meters.exchangeEnded(false);
  }
};

const start = async (
  core: RelayCore,
  incoming: Incoming,
  { permit, ...job }: Job & Readonly<{ permit: CallPermit | null }>,
): Promise<RunningTask | ApiError> => {
  let isStarted = false;
  try {
    const reservation = await reserveFor(core, job);
    if (reservation !== null && 'kind' in reservation) {
      return refusalError(reservation, price(job.usage, job.quote));
    }
    const { channelId } = job.destination.channel;
    const task = startTask(core, incoming, { ...job, channelId, reservation, permit });
    isStarted = true;
    return task;
  } finally {
    if (!isStarted) permit?.cancelled();
  }
};

/**
 * A job from its checks to its answer: limits, reservation, providers, charge. It is started in the
 * journal before a provider is called, and has exactly one outcome there, also when this code fails.
 */
export const submitJob = async (core: RelayCore, incoming: Incoming, job: Job): Promise<void> => {
  const { caller, usage, refusalOf } = job;
  const { group, model } = job.facts;
  const permit = await taskPermit(core, incoming, { caller, group, model, usage });
  if (isApiError(permit)) return refusalOf(permit, 'limit').send(incoming);
  const task = await start(core, incoming, { ...job, permit });
  if (isApiError(task)) return refusalOf(task, 'quota').send(incoming);
  return run(core, incoming, { ...job, ...task });
};
