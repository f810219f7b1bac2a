import { type Shape, text, whole } from './shape.ts';

/** Numbers from hi/lo blocks on `ids-<category>`; a rebuild gives every row the same id again. */
export type UserId = number;
export type TokenId = number;
export type ChannelId = number;
export type RedemptionId = number;
/** The request id that the client saw in `X-Request-Id`. Unique for ever. */
export type RequestId = string;
/** One instance of one relay process. */
export type RelayId = string;
/**
 * The number of a relay instance in one account: assigned with its first lease there, rising by one,
 * never assigned twice.
 */
export type ProducerId = number;
/** `<relayId>.<userId>.<tokenId>.<n>`: the n-th lease of a relay instance; no two are alike. */
export type LeaseId = string;
/** One signed-in browser: 128 random bits, base64url. */
export type SessionId = string;

export const userId: Shape<UserId> = whole;
export const tokenId: Shape<TokenId> = whole;
export const channelId: Shape<ChannelId> = whole;
export const redemptionId: Shape<RedemptionId> = whole;
export const requestId: Shape<RequestId> = text;
export const relayId: Shape<RelayId> = text;
export const producerId: Shape<ProducerId> = whole;
export const leaseId: Shape<LeaseId> = text;
export const sessionId: Shape<SessionId> = text;
