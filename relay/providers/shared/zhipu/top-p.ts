import type { JsonObject } from '../../../protocol/canonical.ts';
import { numberAt } from '../../../protocol/json.ts';

/** Upstream takes less than 1 only. */
export const clampedTopP = (body: JsonObject): number | undefined => {
  const value = numberAt(body, 'top_p');
  return value === null ? undefined : Math.min(value, 0.99);
};
