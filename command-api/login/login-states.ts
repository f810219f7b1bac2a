import { randomBytes } from 'node:crypto';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { LoginAttempt, OAuthProvider } from '../../infra/ports/logins.ts';
import type { Vault } from '../../infra/ports/vault.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
}>;

/** Time to type a password and a second factor at the provider. */
export const stateTtlSeconds = 10 * 60;
const stateBytes = 24;
const secretBytes = 32;

/** What a state is bound to. */
export type Binding = Readonly<{
  browser: string;
  /** Who was signed in when it was made; null: no user. */
  userId: UserId | null;
}>;

type Purpose = Readonly<{
  /** null: any but OIDC, for clients that make the provider's address themselves. */
  provider: OAuthProvider | null;
  aff: string;
}>;

export type LoginState = Binding & Purpose & LoginAttempt;

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

const isMeantFor = (held: LoginState, provider: OAuthProvider): boolean =>
  held.provider === null ? provider !== 'oidc' : held.provider === provider;

/**
 * States of logins under way, in the bus's key-value store so that every process has them. Each is
 * valid for one return, of the browser that began, while the same person is signed in there.
 */
export const createLoginStates = ({ bus, vault }: Deps) => {
  const held = bus.keyValue('login-states', { ttlSeconds: stateTtlSeconds });
  const keyOf = (state: string): string => vault.claimHash('login-state', state);

  return {
    async begin(binding: Binding, purpose: Purpose): Promise<LoginState> {
      const state = random(stateBytes);
      const attempt = { state, nonce: random(secretBytes), codeVerifier: random(secretBytes) };
      const begun: LoginState = { ...binding, ...purpose, ...attempt };
      await held.put(keyOf(state), vault.sealTransient(begun));
      return begun;
    },

    /** null: unknown, used before, or of another browser. */
    async redeem(
      state: string,
      provider: OAuthProvider,
      binding: Readonly<{ browser: string | null; userId: UserId | null }>,
    ): Promise<LoginState | null> {
      if (state === '' || binding.browser === null) return null;
      const sealed = await held.get<string>(keyOf(state));
      const known = sealed === null ? null : (vault.unsealTransient(sealed) as LoginState | null);
      if (known === null || !isMeantFor(known, provider)) return null;
      const isTheirs = known.browser === binding.browser && known.userId === binding.userId;
      return isTheirs && (await held.remove(keyOf(state))) ? known : null;
    },
  };
};
