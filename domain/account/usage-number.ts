import type { ProducerId } from '../shared/ids.ts';

/**
 * The place of one outcome among all that one relay instance recorded for one account. The account
 * knows the instance as a producer; its numbers run 1, 2, 3 … without a gap, are settled in order,
 * and a repeat is known by its number alone, as with the idempotent producer of Apache Kafka.
 */
export type UsageNumber = Readonly<{ producerId: ProducerId; number: number }>;
