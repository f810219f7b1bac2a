import type { Protocol } from './caller-protocol.ts';

/** Names and values in turn: the id of a request under the names that clients read. */
export const requestIdHeaders = (requestId: string, protocol: Protocol): readonly string[] => {
  const both = ['X-Request-Id', requestId, 'X-Oneapi-Request-Id', requestId];
  // Clients of Messages read this one.
  if (protocol === 'claude') both.push('Request-Id', requestId);
  return both;
};
