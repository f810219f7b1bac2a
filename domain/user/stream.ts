import type { UserId } from '../shared/ids.ts';

export const userStreamId = (id: UserId): string => `user-${id}`;
/** Deleted together with the person, which makes their data unreadable. */
export const personalKeyStreamId = (id: UserId): string => `personalKey-${id}`;
/** Uniqueness claims: the first append with expected revision "no stream" wins. */
export const usernameClaimStreamId = (hash: string): string => `username-${hash}`;
/** The look-alike form of a user name: no two people have visually equal names. */
export const nameLookClaimStreamId = (hash: string): string => `nameLook-${hash}`;
export const identityClaimStreamId = (hash: string): string => `identity-${hash}`;
export const accessTokenClaimStreamId = (hash: string): string => `accessToken-${hash}`;
export const affCodeClaimStreamId = (code: string): string => `affCode-${code}`;
/** There is one super admin from the start; two set-ups at once must not make two. */
export const rootClaimStreamId = 'rootUser-site';
/** Failed sign-ins, apart from the events that make up the person. */
export const loginFailuresStreamId = (id: UserId): string => `loginFailures-${id}`;
