/** Published by account keepers alone: a relay that could do so would renew leases that have ended. */
const publishedByKeepers: ReadonlySet<string> = new Set([
  'lease.renewed',
  'lease.recall',
  'lease.inquiry',
  'usage.settled',
]);

/** Between keepers: other rooms publish, subscribe to and serve none of these. */
const isAmongKeepers = (subject: string): boolean => subject.startsWith('keeper.');

export const mayRelayPublish = (subject: string): boolean =>
  !publishedByKeepers.has(subject) && !isAmongKeepers(subject);

export const mayRelaySubscribe = (subject: string): boolean => !isAmongKeepers(subject);
