import type { ApiError } from '../protocol/api-error.ts';
import { providerOf } from '../providers/registry.ts';

/**
 * Is another channel worth trying after this status, taken after the channel's status mapping?
 * First match wins (infra/reference/protocols.md, section 10.3). A gateway timeout (504, 524) has already
 * cost the caller the wait.
 */
export const isRetryableStatus = (status: number, channelType: number): boolean => {
  if (status === 429 || status === 307) return true;
  if (status === 504 || status === 524) return false;
  if (status >= 500) return true;
  if (status === 400) return providerOf(channelType)?.retriesBadRequests === true;
  if (status === 408) return false;
  return status < 200 || status > 299;
};

/** The same of a refusal whose text names the cause. */
export const isRetryableRefusal = (error: ApiError, channelType: number): boolean => {
  const cause = providerOf(channelType)?.refusalCause?.(error);
  return cause ? cause === 'key' : isRetryableStatus(error.status, channelType);
};
