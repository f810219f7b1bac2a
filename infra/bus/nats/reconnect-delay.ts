/**
 * When the client dials again, for its option `reconnectDelayHandler`: it dials as soon as the
 * milliseconds returned have passed since it last dialled this server, by the wall clock. That
 * clock may have been put back by hours meanwhile, so the monotonic one decides whether it is time,
 * and then a time long past is returned.
 * @param waitMs between two dials
 */
export const createReconnectDelay = (now: () => number, waitMs: number): (() => number) => {
  let dialledAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - dialledAt < waitMs) return waitMs;
    dialledAt = now();
    return Number.NEGATIVE_INFINITY;
  };
};
