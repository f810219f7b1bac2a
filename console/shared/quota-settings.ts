/** Settings that are a number of quota units. */
export const quotaSettings = [
  'QuotaForNewUser',
  'QuotaForInviter',
  'QuotaForInvitee',
  'QuotaRemindThreshold',
] as const;

export const isQuotaSetting = (key: string): boolean => quotaSettings.some((name) => name === key);
