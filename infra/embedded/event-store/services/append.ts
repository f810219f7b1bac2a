import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type {
  AppendReq,
  DeleteReq,
  TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerReadableStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import type { NodeContext } from '../node-context.ts';
import {
  type Expected,
  isStorable,
  type ProposedEvent,
  sizeOf,
  type WriteResult,
} from '../types.ts';
import { proposedEvent } from '../wire/batch-append.ts';
import {
  invalidArgument,
  missingPropertyError,
  refusal,
  streamDeletedError,
  timeoutError,
  tooLargeError,
} from '../wire/errors.ts';
import { normalUuid, uuidFromBits } from '../wire/uuid.ts';
import { asServiceError } from './calls.ts';

type WithExpected = Readonly<{
  hasRevision: () => boolean;
  getRevision: () => string;
  hasNoStream: () => boolean;
  hasStreamExists: () => boolean;
}>;

/** long.MaxValue is what old clients send for "the tombstone"; numbers end before it. */
export const safeNumber = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER);

const expectedOf = (options: WithExpected): Expected => {
  if (options.hasRevision()) return safeNumber(options.getRevision());
  if (options.hasNoStream()) return 'no-stream';
  return options.hasStreamExists() ? 'stream-exists' : 'any';
};

type WithStream = Readonly<{
  getStreamIdentifier: () => { getStreamName_asU8: () => Uint8Array } | undefined;
}>;

/** @throws when the name cannot be stored */
export const streamNameOf = (options: WithStream): string => {
  const bytes = options.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array();
  const name = Buffer.from(bytes).toString('utf8');
  if (!isStorable(name)) throw invalidArgument('invalid stream name');
  return name;
};

const uuidOf = (uuid: UUID | undefined): string | null => {
  const structured = uuid?.getStructured();
  if (structured !== undefined) {
    return uuidFromBits(
      BigInt(structured.getMostSignificantBits()),
      BigInt(structured.getLeastSignificantBits()),
    );
  }
  return normalUuid(uuid?.getString() ?? '');
};

const eventOf = (message: AppendReq.ProposedMessage): ProposedEvent => {
  const map = message.getMetadataMap();
  const type = map.get('type');
  const contentType = map.get('content-type');
  if (type === undefined) throw missingPropertyError('type');
  if (contentType === undefined) throw missingPropertyError('content-type');
  const event = proposedEvent(
    {
      id: uuidOf(message.getId()),
      data: Buffer.from(message.getData_asU8()),
      metadata: Buffer.from(message.getCustomMetadata_asU8()),
    },
    type,
    contentType,
  );
  if (event === null) throw invalidArgument('an event lacks its id or type');
  return event;
};

const success = (
  revision: number,
  position: number | null,
): InstanceType<typeof streamsPb.AppendResp> => {
  const answer = new streamsPb.AppendResp.Success();
  if (revision < 0) answer.setNoStream(new sharedPb.Empty());
  else answer.setCurrentRevision(String(revision));
  if (position === null) answer.setNoPosition(new sharedPb.Empty());
  else answer.setPosition(positionOf(new streamsPb.AppendResp.Position(), position));
  return new streamsPb.AppendResp().setSuccess(answer);
};

type Settable = Readonly<{
  setCommitPosition: (value: string) => unknown;
  setPreparePosition: (value: string) => unknown;
}>;

const positionOf = <T extends Settable>(target: T, position: number): T => {
  target.setCommitPosition(String(position));
  target.setPreparePosition(String(position));
  return target;
};

/** The classic append reports a wrong version as an answer, in new fields and in old ones. */
const wrongVersion = (
  expected: Expected,
  current: number,
): InstanceType<typeof streamsPb.AppendResp> => {
  const answer = new streamsPb.AppendResp.WrongExpectedVersion();
  const empty = new sharedPb.Empty();
  if (current < 0) answer.setCurrentNoStream(empty).setNoStream2060(empty);
  else answer.setCurrentRevision(String(current)).setCurrentRevision2060(current);
  if (typeof expected === 'number') {
    answer.setExpectedRevision(String(expected)).setExpectedRevision2060(expected);
  } else if (expected === 'any') answer.setExpectedAny(empty).setAny2060(empty);
  else if (expected === 'no-stream') answer.setExpectedNoStream(empty);
  else answer.setExpectedStreamExists(empty).setStreamExists2060(empty);
  return new streamsPb.AppendResp().setWrongExpectedVersion(answer);
};

const deadlineMs = 10_000;

type Collected = Readonly<{ stream: string; expected: Expected; events: ProposedEvent[] }>;

/** The first message names the stream, each other one is an event. @throws ServiceError */
const collect = async (
  requests: AsyncIterable<AppendReq>,
  maxAppendBytes: number,
): Promise<Collected> => {
  let target: Omit<Collected, 'events'> | null = null;
  const events: ProposedEvent[] = [];
  let bytes = 0;
  for await (const request of requests) {
    const options = request.getOptions();
    const message = request.getProposedMessage();
    if (options !== undefined) {
      target = { stream: streamNameOf(options), expected: expectedOf(options) };
    }
    if (message === undefined) continue;
    const event = eventOf(message);
    bytes += sizeOf(event);
    if (bytes > maxAppendBytes) throw tooLargeError(maxAppendBytes);
    events.push(event);
  }
  if (target === null) throw invalidArgument('an append began without its options');
  return { ...target, events };
};

export const appendHandler =
  (context: NodeContext) =>
  (
    call: ServerReadableStream<AppendReq, InstanceType<typeof streamsPb.AppendResp>>,
    answer: sendUnaryData<InstanceType<typeof streamsPb.AppendResp>>,
  ): void => {
    const run = async (): Promise<InstanceType<typeof streamsPb.AppendResp>> => {
      const collected = await collect(call as AsyncIterable<AppendReq>, context.maxAppendBytes);
      const { stream, expected } = collected;
      const write = { kind: 'append', ...collected } as const;
      return appendAnswer(
        await context.log.write(write, Date.now() + deadlineMs),
        stream,
        expected,
      );
    };
    run().then(
      (response) => answer(null, response),
      (error: unknown) => answer(asServiceError(error, context)),
    );
  };

const appendAnswer = (
  result: WriteResult,
  stream: string,
  expected: Expected,
): InstanceType<typeof streamsPb.AppendResp> => {
  if (result.kind === 'written') return success(result.revision, result.position);
  if (result.kind === 'wrong-version') return wrongVersion(expected, result.current);
  throw result.kind === 'timeout' ? timeoutError() : streamDeletedError(stream);
};

/** Soft delete and tombstone answer alike: the place of the event that they wrote, or why not. */
const removal = async (
  context: NodeContext,
  kind: 'delete' | 'tombstone',
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
): Promise<number> => {
  if (options === undefined) throw invalidArgument('no options');
  const stream = streamNameOf(options);
  const expected = expectedOf(options);
  const write = { kind, stream, expected, events: [] };
  const result = await context.log.write(write, Date.now() + deadlineMs);
  if (result.kind !== 'written') throw refusal(result, stream, expected);
  return result.position ?? 0;
};

export const deleteHandler =
  (context: NodeContext) =>
  (
    call: ServerUnaryCall<DeleteReq, InstanceType<typeof streamsPb.DeleteResp>>,
    answer: sendUnaryData<InstanceType<typeof streamsPb.DeleteResp>>,
  ): void => {
    removal(context, 'delete', call.request.getOptions()).then(
      (position) => {
        const place = positionOf(new streamsPb.DeleteResp.Position(), position);
        answer(null, new streamsPb.DeleteResp().setPosition(place));
      },
      (error: unknown) => answer(asServiceError(error, context)),
    );
  };

export const tombstoneHandler =
  (context: NodeContext) =>
  (
    call: ServerUnaryCall<TombstoneReq, InstanceType<typeof streamsPb.TombstoneResp>>,
    answer: sendUnaryData<InstanceType<typeof streamsPb.TombstoneResp>>,
  ): void => {
    removal(context, 'tombstone', call.request.getOptions()).then(
      (position) => {
        const place = positionOf(new streamsPb.TombstoneResp.Position(), position);
        answer(null, new streamsPb.TombstoneResp().setPosition(place));
      },
      (error: unknown) => answer(asServiceError(error, context)),
    );
  };
