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
 * One relay instance as one account knows it: given with its first lease in the account, rising by
 * one, never given twice.
 */
export type ProducerId = number;
/** `<relayId>.<userId>.<tokenId>.<n>`: the n-th lease of a relay instance; no two are alike. */
export type LeaseId = string;
/** One signed-in browser: 128 random bits, base64url. */
export type SessionId = string;
