import type {
  AccountEvent,
  CallFacts,
  RequestCharged,
  RequestEnd,
} from '../../domain/account/events.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { Event } from '../../domain/shared/event.ts';
import type { SealedPersonal } from '../../domain/shared/sealed.ts';

/**
 * What an entry keeps in addition to its columns. Texts for people are made of it when it is read.
 */
export type ConsumeDetails = Readonly<{
  kind: 'consume';
  usage: Usage;
  quote: Quote;
  end: RequestEnd;
  usageSource: RequestCharged['data']['usageSource'];
  usageNote: string | null;
  upstreamModel: string | null;
  firstByteMs: number | null;
  channelsTried: CallFacts['channelsTried'];
  reasoningEffort?: string;
  /** An answer of a realtime session. */
  ws?: true;
  /** Of calls that set a task going. */
  task?: NonNullable<CallFacts['task']>;
}>;
export type FailureDetails = Readonly<{
  kind: 'failure';
  statusCode: number;
  errorType: string;
  errorCode: string;
  /** Empty in the row: `personal` contains it, sealed. */
  message: string;
  personal?: SealedPersonal;
  upstreamModel: string | null;
  channelsTried: CallFacts['channelsTried'];
}>;
/** A movement of quota that is no charge. */
export type MovementDetails = Readonly<{
  kind: 'movement';
  event: AccountEvent['type'];
  /** Quota units, signed. */
  delta: number;
  balanceAfter: number;
  /** Source of a grant, reason of a change. */
  reason: string;
  reference: string;
  /** The person who changed it manually. */
  actorId?: string;
  /** Of a top-up: what was paid for it, as text, and the bonus part of the delta. */
  payment?: Readonly<{ provider: string; money: string; bonusQuota: number }>;
}>;
/** An administrator changed a user, an option, a channel or a code. */
export type ManageDetails = Readonly<{
  kind: 'manage';
  event: Event['type'];
  actorKind: string;
  actorId: string;
  values: Readonly<Record<string, string | number>>;
}>;
export type LogDetails = ConsumeDetails | FailureDetails | MovementDetails | ManageDetails;
