import type { IncomingHttpHeaders } from 'node:http';
import { accessTokenHash, tokenIn } from '../web/access-token.ts';
import { readSession } from '../web/session-cookie.ts';

type TokenOwner = (hash: string) => Promise<number | null>;

type Deps = Readonly<{
  /** The content of a session cookie; null when it is forged. */
  openSession: (text: string) => unknown;
  /** Whose access token has this SHA-256; null when this process cannot decide it. */
  tokenOwner: TokenOwner | null;
}>;

/** The caller, as far as counting calls needs: each route checks the permissions. */
export type SignedInUser = Readonly<{
  /** At once; `ask` when it takes a look-up. */
  known: (headers: IncomingHttpHeaders, nowMs: number) => number | null | 'ask';
  /** By a look-up. */
  find: (headers: IncomingHttpHeaders, nowMs: number) => Promise<number | null>;
}>;

type Answer = Readonly<{ userId: number | null; until: number }>;

const keptTokens = 10_000;
const keptForMs = 60_000;

export const createSignedInUser = ({ openSession, tokenOwner }: Deps): SignedInUser => {
  const answers = new Map<string, Answer>();

  const hashIn = ({ authorization }: IncomingHttpHeaders): string | null =>
    tokenOwner === null || authorization === undefined
      ? null
      : accessTokenHash(tokenIn(authorization));

  const answered = (hash: string, nowMs: number): Answer | null => {
    const answer = answers.get(hash);
    return answer !== undefined && nowMs < answer.until ? answer : null;
  };

  const keep = (hash: string, answer: Answer): void => {
    if (answers.size >= keptTokens) answers.clear();
    answers.set(hash, answer);
  };

  return {
    known: (headers, nowMs) => {
      const session = readSession(headers.cookie, openSession, nowMs);
      if (session !== null) return session.userId;
      const hash = hashIn(headers);
      if (hash === null) return null;
      const kept = answered(hash, nowMs);
      return kept === null ? 'ask' : kept.userId;
    },
    find: async (headers, nowMs) => {
      const hash = hashIn(headers);
      if (hash === null || tokenOwner === null) return null;
      // A look-up that fails leaves the call to the count of its address.
      const userId = await tokenOwner(hash).catch(() => null);
      keep(hash, { userId, until: nowMs + keptForMs });
      return userId;
    },
  };
};
