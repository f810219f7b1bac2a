import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Bus } from '../../../infra/ports/bus.ts';
import type { Clock } from '../../../infra/ports/clock.ts';
import type { Vault } from '../../../infra/ports/vault.ts';
import type { KnownUser } from '../find-user.ts';
import { newPasskeyChallenge } from './passkeys.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
  clock: Clock;
}>;

export const challengeTtlSeconds = 5 * 60;
const idBytes = 16;

const challengeShape = z.object({
  kind: z.literal('second-factor'),
  id: z.string(),
  /** What the proof is for; `enrolment` proves a new factor. */
  purpose: z.enum(['sign-in', 'confirmation', 'enrolment']),
  userId: z.number().int(),
  /** A new password or role ends what was begun before. */
  epoch: z.number().int(),
  /** The mark of the browser, or the session, that has to bring the proof. */
  boundTo: z.string(),
  /** What a passkey signs, base64url. */
  passkeyChallenge: z.string(),
  /** Of a sign-in: its first step. Of an enrolment: the secret of the authenticator. */
  detail: z.string(),
  /** Unix milliseconds. */
  issuedAt: z.number(),
});
export type Challenge = z.infer<typeof challengeShape>;
type Begun = Pick<Challenge, 'purpose' | 'boundTo'> & Readonly<{ detail?: string }>;

/**
 * What a proof answers to. It travels sealed by the client, bound to one browser or session, and
 * counts for one proof; only that it was used is remembered.
 */
export const createChallenges = ({ bus, vault, clock }: Deps) => {
  const spent = bus.keyValue('second-factor-challenges', {
    ttlSeconds: challengeTtlSeconds * 2,
  });

  return {
    begin({ userId, sessionEpoch }: KnownUser, begun: Begun) {
      const challenge: Challenge = {
        kind: 'second-factor',
        id: randomBytes(idBytes).toString('base64url'),
        userId,
        epoch: sessionEpoch,
        passkeyChallenge: newPasskeyChallenge(),
        issuedAt: clock().getTime(),
        detail: '',
        ...begun,
      };
      return { challenge, token: vault.sealTransient(challenge) };
    },

    /** null: forged, too old, begun elsewhere or for something else. */
    open(
      token: string,
      { purpose, boundTo }: Readonly<{ purpose: Challenge['purpose']; boundTo: string | null }>,
    ): Challenge | null {
      const parsed = challengeShape.safeParse(vault.unsealTransient(token));
      if (!parsed.success || boundTo === null) return null;
      const challenge = parsed.data;
      const ageMs = clock().getTime() - challenge.issuedAt;
      const isTheirs = challenge.purpose === purpose && challenge.boundTo === boundTo;
      return isTheirs && ageMs < challengeTtlSeconds * 1_000 ? challenge : null;
    },

    /** True for the one proof that it counts for. */
    spend: ({ id }: Challenge): Promise<boolean> => spent.create(id, true),
  };
};
