/** Codes for the origin of a grant or the reason of a refund; any other reason is free text. */
export const grantSources = [
  'setup',
  'registration',
  'invitation',
  'redemption',
  'topup',
  'referral-transfer',
  'task.refused',
  'task.abandoned',
  'task.upstream',
  'task.timeout',
  'task.channel-gone',
  'task.settled',
] as const;
export type GrantSource = (typeof grantSources)[number];
export const isGrantSource = (text: string): text is GrantSource =>
  grantSources.some((source) => source === text);
