/** Earlier versions wrote this text of their own, with the number of the administrator. */
const machineText = /^admin \d+ set the quota of user \d+$/;

/** What the person who changed a balance gave as the reason; "" where none was given. */
export const adjustmentReason = (stored: string): string =>
  machineText.test(stored) ? '' : stored;
