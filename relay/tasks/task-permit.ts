import type { Incoming } from '../admission/admitted.ts';
import { isPermit } from '../admission/call-limits/call-limiter.ts';
import { limitsOf, permitFor } from '../admission/call-limits/with-permit.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { ApiError } from '../protocol/api-error.ts';

type Task = Readonly<{
  caller: Caller;
  group: string;
  model: string;
  /** About what it takes of its prompt; none when absent, as of most tasks. */
  promptTokens?: number;
  /** false: the provider was not called. */
  go: () => Promise<boolean>;
}>;

/** A task counts as a call for as long as its provider is called for it; or why not now. */
export const withTaskPermit = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, group, model, promptTokens = 0, go }: Task,
): Promise<ApiError | null> => {
  const limits = limitsOf(core, caller, { group, call: { model } });
  const permit = await permitFor(core, incoming, {
    limits,
    need: () => ({ prompt: promptTokens, output: 0 }),
  });
  if (permit !== null && !isPermit(permit)) {
    const { retryAfterSeconds } = permit;
    if (retryAfterSeconds !== undefined) incoming.res.setHeader('Retry-After', retryAfterSeconds);
    return permit;
  }
  let isAsked = true;
  try {
    isAsked = await go();
  } finally {
    if (isAsked) permit?.ended(promptTokens);
    else permit?.cancelled();
  }
  return null;
};
