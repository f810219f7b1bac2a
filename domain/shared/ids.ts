/** Numbers from hi/lo blocks on `ids-<category>`; a rebuild gives every row the same id again. */
export type UserId = number;
export type TokenId = number;
export type ChannelId = number;
export type RedemptionId = number;
/** The request id that the client saw in `X-Request-Id`. Unique for ever. */
export type RequestId = string;
/** One instance of one relay process. */
export type RelayId = string;
/** `<relayId>.<userId>.<tokenId>`: one lease for each account and token that a relay serves. */
export type LeaseId = string;
/** One signed-in browser: 128 random bits, base64url. */
export type SessionId = string;
