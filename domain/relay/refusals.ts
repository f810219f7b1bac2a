import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { type RelayId, relayId, requestId, tokenId, userId } from '../shared/ids.ts';
import { type Infer, list, object, text, whole } from '../shared/shape.ts';

const unaudited = defineEvents('refusals', null);

/** Refused calls that have everything but their ids in common. */
const refusal = object({
  /** Code of the error, as the caller gets it. */
  reason: text,
  /** 0: the key is not known. */
  userId,
  /** 0: the key is not known, or a session of the console was used. */
  tokenId,
  /** As the caller named it; "": none was read; `(other)`: of any user, key and model. */
  model: text,
  /** Unix seconds: the start of the quarter of an hour. */
  quarter: whole,
  count: whole,
  firstRequestId: requestId,
  lastRequestId: requestId,
});
export type Refusal = Infer<typeof refusal>;

export const refusalEvents = {
  /**
   * A relay refused calls before they were admitted. Each event adds to those before it. Streams
   * `refusals-<relayId>` are bounded by `$maxAge`; the revision is the sequence number of the relay.
   */
  CallsRefused: unaudited({ relayId, refusals: list(refusal) }),
};

export type CallsRefused = EventsOf<typeof refusalEvents>['CallsRefused'];

export const refusalsStreamId = (id: RelayId): string => `refusals-${id}`;

/** How long refusals are kept: 30 days. */
export const refusalSeconds = 30 * 86_400;
export const quarterSeconds = 900;
/** Model of the refusals for which there were too many kinds in one quarter of an hour. */
export const otherRefusals = '(other)';

/*
 * Message of relays to the control plane:
 *   request  `calls.refused`   RefusedCalls → RefusalsRecorded
 */
export const refusedSubject = 'calls.refused';
/** The same sequence number of a relay twice is recorded once; the first one is 0. */
export type RefusedCalls = Readonly<{
  relayId: RelayId;
  sequence: number;
  refusals: readonly Refusal[];
}>;
export type RefusalsRecorded = Readonly<{ sequence: number }>;
