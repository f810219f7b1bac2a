/** 400 is worth another channel for this type only: it refuses what others take. */
const anthropicType = 14;

/**
 * Is another channel worth trying after this status, taken after the channel's status mapping?
 * First match wins, as in the relay sheet, section 11. A gateway timeout (504, 524) has already
 * cost the caller the wait.
 */
export const isRetryableStatus = (status: number, channelType: number): boolean => {
  if (status === 429 || status === 307) return true;
  if (status === 504 || status === 524) return false;
  if (status >= 500) return true;
  if (status === 400) return channelType === anthropicType;
  if (status === 408) return false;
  return status < 200 || status > 299;
};
