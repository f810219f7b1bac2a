import {
  accountPartitions,
  type LeaseReply,
  type LeaseRequest,
} from '../../domain/account/messages.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import { isBusUnavailable } from '../shared/errors.ts';
import type { AccountQueues } from './account-queues.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { type LeaseAnswer, leaseWork } from './leasing.ts';
import type { Partitions } from './partitions.ts';
import type { LeaseRecalls, RecallAnswers } from './recall.ts';

type Settings = Readonly<{
  bus: Bus;
  clock: Clock;
  timers: Timers;
  queues: AccountQueues;
  watch: LeaseWatch;
  recalls: LeaseRecalls;
  partitions: Partitions;
  /** null: there is no other keeper. */
  keeperId: string | null;
}>;

/** So long, and for so many returns of the account, does a lease request wait; each may bring too little. */
const recallMs = 600;
const maxRecalls = 12;

/** What a relay waits for must fit into its own patience of 2 s, with time left to answer here. */
const ownerTimeoutMs = 800;

const subject = 'keeper.lease';
const subjectOf = (keeperId: string): string => `${subject}.${keeperId}`;

const isLeaseRequest = (body: LeaseRequest): boolean =>
  typeof body.relayId === 'string' &&
  Number.isSafeInteger(body.userId) &&
  Number.isSafeInteger(body.tokenId) &&
  Number.isSafeInteger(body.lease) &&
  Number.isSafeInteger(body.ask) &&
  Number.isSafeInteger(body.need) &&
  body.need >= 0;

/** Answers lease requests. Any keeper may; the owner of the partition has the account in memory. */
export const createLeaseRequests = (settings: Settings) => {
  const { bus, clock, timers, queues, watch, recalls, partitions, keeperId } = settings;

  const ask = async (
    request: LeaseRequest,
    recall: Readonly<{ mayRecall: boolean; answers: RecallAnswers }>,
  ): Promise<LeaseAnswer> => {
    const work = leaseWork(request, { occurredAt: clock().toISOString(), ...recall });
    return (await queues.do(request.userId, work)).value;
  };

  const recalling = async (request: LeaseRequest): Promise<LeaseReply> => {
    const recall = recalls.open(request.userId);
    const { answers } = recall;
    const end = timers.now() + recallMs;
    try {
      for (let recalled = 1; ; recalled += 1) {
        await recall.wait();
        const mayRecall = recalled < maxRecalls && timers.now() < end;
        const reply = await ask(request, { mayRecall, answers });
        if (reply !== 'recall') return reply;
      }
    } finally {
      recall.close();
    }
  };

  const answerHere = async (request: LeaseRequest): Promise<LeaseReply> => {
    if (!isLeaseRequest(request)) throw new Error('malformed lease request');
    watch.reported(request.relayId);
    const reply = await ask(request, { mayRecall: true, answers: new Map() });
    return reply === 'recall' ? recalling(request) : reply;
  };

  const answer = async (request: LeaseRequest): Promise<LeaseReply> => {
    const owner = partitions.ownerOf(request.userId % accountPartitions);
    if (owner === null) return answerHere(request);
    try {
      const options = { timeoutMs: ownerTimeoutMs };
      return await bus.request<LeaseRequest, LeaseReply>(subjectOf(owner), request, options);
    } catch (error) {
      if (!isBusUnavailable(error)) throw error;
      return answerHere(request);
    }
  };

  /** Answers until the stops are called, last first. */
  return async (): Promise<Stop[]> => [
    await recalls.start(),
    ...(keeperId === null
      ? []
      : [await bus.serve<LeaseRequest, LeaseReply>(subjectOf(keeperId), answerHere)]),
    await bus.serve<LeaseRequest, LeaseReply>(subject, answer),
  ];
};
