import type { ChannelId, RedemptionId, TokenId, UserId } from './ids.ts';
import { type Shape, text } from './shape.ts';

/** Text sealed by the vault. Opens only with the site's keys. */
export type Sealed = string;

/** Text sealed under the key of one person. Unreadable once that key is gone. */
export type SealedPersonal = string;

export const sealed: Shape<Sealed> = text;
export const sealedPersonal: Shape<SealedPersonal> = text;

/**
 * Where a sealed text belongs. It opens there and nowhere else, so that no one who writes to the log
 * or a table can move a secret to where it is shown or sent.
 */
export type Place = Readonly<{ place: string }>;

export const channelKeyPlace = (channelId: ChannelId): Place => ({
  place: `channel/${channelId}/key`,
});
export const tokenKeyPlace = (tokenId: TokenId): Place => ({
  place: `token/${tokenId}/key`,
});
export const redemptionCodePlace = (redemptionId: RedemptionId): Place => ({
  place: `redemption/${redemptionId}/code`,
});
export const optionPlace = (key: string): Place => ({ place: `option/${key}` });
export const personalKeyPlace = (userId: UserId): Place => ({
  place: `user/${userId}/key`,
});

/** What is sealed of one person. An address is the same wherever it occurs. */
export type PersonalField =
  | 'display-name'
  | 'notification-email'
  | 'webhook-secret'
  | 'session-device'
  | 'session-address'
  | 'login-failure-address'
  | 'event'
  | 'ip'
  | 'totp-secret'
  | 'passkey-name'
  | `identity/${string}`
  | `identity-label/${string}`;
export const emailField = 'identity/email' satisfies PersonalField;

export const personalPlace = (userId: UserId, field: PersonalField): Place => ({
  place: `user/${userId}/${field}`,
});
