import {
  accountPartitions,
  type LeaseReply,
  type LeaseRequest,
} from '../../domain/account/messages.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import { isBusUnavailable } from '../shared/errors.ts';
import type { AccountQueues } from './account-queues.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { leaseWork } from './leasing.ts';
import type { Partitions } from './partitions.ts';

type Settings = Readonly<{
  bus: Bus;
  clock: Clock;
  queues: AccountQueues;
  watch: LeaseWatch;
  partitions: Partitions;
  /** null: there is no other keeper. */
  keeperId: string | null;
}>;

/** What a relay waits for must fit into its own patience of 2 s, with time left to answer here. */
const ownerTimeoutMs = 800;

const subject = 'keeper.lease';
const subjectOf = (keeperId: string): string => `${subject}.${keeperId}`;

const isLeaseRequest = (body: LeaseRequest): boolean =>
  typeof body.relayId === 'string' &&
  Number.isSafeInteger(body.userId) &&
  Number.isSafeInteger(body.tokenId) &&
  Number.isSafeInteger(body.ask) &&
  Number.isSafeInteger(body.need) &&
  body.need >= 0;

/** Answers lease requests. Any keeper may; the owner of the partition has the account in memory. */
export const createLeaseRequests = (settings: Settings) => {
  const { bus, clock, queues, watch, partitions, keeperId } = settings;

  const answerHere = async (request: LeaseRequest): Promise<LeaseReply> => {
    if (!isLeaseRequest(request)) throw new Error('malformed lease request');
    watch.reported(request.relayId);
    const done = await queues.do(request.userId, leaseWork(request, clock().toISOString()));
    return done.value;
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
    ...(keeperId === null
      ? []
      : [await bus.serve<LeaseRequest, LeaseReply>(subjectOf(keeperId), answerHere)]),
    await bus.serve<LeaseRequest, LeaseReply>(subject, answer),
  ];
};
