import { producerId } from '../shared/ids.ts';
import { type Infer, object, whole } from '../shared/shape.ts';

/**
 * The place of one outcome among all that one relay instance recorded for one account. The instance is a
 * producer of the account; its numbers run 1, 2, 3 … without a gap, are settled in order, and a repeat is
 * found by its number alone, as with the idempotent producer of Apache Kafka.
 */
export const usageNumber = object({ producerId, number: whole });
export type UsageNumber = Infer<typeof usageNumber>;
