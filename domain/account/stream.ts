import type { UserId } from '../shared/ids.ts';

export const accountStreamId = (id: UserId): string => `account-${id}`;
/** `$maxCount` 1: the newest snapshot of the account's state. */
export const accountSnapshotStreamId = (id: UserId): string => `accountSnapshot-${id}`;
