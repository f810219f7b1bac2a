import type { Protocol } from './caller-protocol.ts';

/** Names and values, one after the other: the id of a request under the names that clients look for. */
export const requestIdHeaders = (requestId: string, protocol: Protocol): readonly string[] => {
  const both = ['X-Request-Id', requestId, 'X-Oneapi-Request-Id', requestId];
  // Clients of Messages read this one.
  if (protocol === 'claude') both.push('Request-Id', requestId);
  return both;
};
