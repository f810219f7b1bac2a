import type { accountPartitions } from '../../domain/account/messages.ts';
import type { UserId } from '../../domain/shared/ids.ts';

/** The domain's number; the compiler holds the two together. */
export const partitions: typeof accountPartitions = 64;

export const partitionOf = (userId: UserId): number => userId % partitions;
