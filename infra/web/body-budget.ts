/** Bodies up to this size pass while larger ones have to wait. */
const smallBodyBytes = 64 * 1024;
/** The part of the budget that is kept for small bodies. */
const reservedPart = 1 / 8;

/** Bytes of request bodies that a process holds in memory, over all callers. */
export type BodyBudget = Readonly<{
  /** Requests `bytes` more for a body that holds `held` already. False: there is no room. */
  take: (bytes: number, held: number) => boolean;
  give: (bytes: number) => void;
  used: () => number;
}>;

export const createBodyBudget = (maxBytes: number): BodyBudget => {
  const maxForLarge = maxBytes * (1 - reservedPart);
  let used = 0;
  return {
    take: (bytes, held) => {
      const max = held + bytes <= smallBodyBytes ? maxBytes : maxForLarge;
      if (used + bytes > max) return false;
      used += bytes;
      return true;
    },
    give: (bytes) => {
      used -= bytes;
    },
    used: () => used,
  };
};
