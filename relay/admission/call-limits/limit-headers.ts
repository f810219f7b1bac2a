import type { Protocol } from '../../protocol/caller-protocol.ts';
import type { LimitState } from './call-limiter.ts';

type Shown = LimitState & Readonly<{ unit: 'requests' | 'tokens' }>;

/** The limit that leaves the fewest, where several hold. */
const narrowest = (states: readonly LimitState[], unit: Shown['unit']): Shown | null => {
  let found: Shown | null = null;
  for (const state of states) {
    if (state.unit !== unit || (found !== null && found.remaining <= state.remaining)) continue;
    found = { ...state, unit };
  }
  return found;
};

/** As OpenAI writes it: `1s`, `59.5s`, `1m0s`. */
const duration = (ms: number): string => {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
};

type Header = readonly [name: string, value: string];

const anthropic = ({ unit, limit, remaining, resetMs }: Shown, nowMs: number): Header[] => [
  [`anthropic-ratelimit-${unit}-limit`, String(limit)],
  [`anthropic-ratelimit-${unit}-remaining`, String(remaining)],
  [`anthropic-ratelimit-${unit}-reset`, new Date(nowMs + resetMs).toISOString()],
];

const openAi = ({ unit, limit, remaining, resetMs }: Shown): Header[] => [
  [`x-ratelimit-limit-${unit}`, String(limit)],
  [`x-ratelimit-remaining-${unit}`, String(remaining)],
  [`x-ratelimit-reset-${unit}`, duration(resetMs)],
];

/** How far the limits of a call are used, as its caller's protocol writes it. */
export const limitHeaders = (
  protocol: Protocol,
  states: readonly LimitState[],
  nowMs: number,
): readonly Header[] =>
  (['requests', 'tokens'] as const).flatMap((unit) => {
    const shown = narrowest(states, unit);
    if (shown === null) return [];
    return protocol === 'claude' ? anthropic(shown, nowMs) : openAi(shown);
  });
