import type { TFunction } from 'i18next';

const kinds = [
  'unreadable',
  'event-twice',
  'revision-gap',
  'metadata-missing',
  'wrong-stream',
  'price-mismatch',
  'balance-mismatch',
  'lease-unknown',
  'lease-amount',
  'lease-overdraws',
  'lease-left-open',
  'charged-twice',
  'abandoned-twice',
  'two-outcomes',
  'refund-without-charge',
  'refund-exceeds-charge',
  'correction-of-nothing',
  'correction-exceeds-charge',
  'granted-twice',
  'redeemed-twice',
  'redemption-not-granted',
  'grant-without-redemption',
  'order-mismatch',
  'paid-without-order',
  'paid-mismatch',
  'paid-twice',
  'payment-not-granted',
  'grant-without-payment',
  'task-charge-mismatch',
  'task-not-refunded',
  'refund-without-failure',
  'personal-key-missing',
  'personal-key-left',
  'snapshot-mismatch',
  'actor-mismatch',
  'dead-letter',
  'checkpoint-ahead',
  'checkpoint-mismatch',
  'read-model-missing',
  'row-differs',
  'row-missing',
  'row-unexpected',
] as const;

/** A kind that a newer server knows is shown by its own name. */
export const kindText = (kind: string, t: TFunction<'verify'>): string => {
  const known = kinds.find((candidate) => candidate === kind);
  return known ? t(`kind.${known}`) : kind;
};
