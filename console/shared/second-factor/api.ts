import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { isRecord } from '../local-values.ts';
import type { StoredUser } from '../session.ts';

/** The password confirms for those without a second factor. */
export type FactorMethod = 'passkey' | 'totp' | 'recovery-code' | 'password';

/** What the server asks: by which methods, and what a passkey signs. Good for five minutes. */
export type FactorQuestion = Readonly<{
  methods: readonly FactorMethod[];
  token: string;
  passkey?: PublicKeyCredentialRequestOptionsJSON;
}>;

export type FactorProof = Readonly<{ token: string }> &
  (
    | Readonly<{ method: 'totp' | 'recovery-code'; code: string }>
    | Readonly<{ method: 'passkey'; assertion: AuthenticationResponseJSON }>
    | Readonly<{ method: 'password'; password: string }>
  );

/** What a sign-in answers: the user, or the question for a second factor. */
export type SignInAnswer = StoredUser | Readonly<{ second_factor: FactorQuestion }>;

export const isFactorQuestion = (value: unknown): value is FactorQuestion =>
  isRecord(value) && typeof value.token === 'string' && Array.isArray(value.methods);

/** Read when it is used: few users sign in with a passkey, and all load the page. */
export const passkeys = () => import('@simplewebauthn/browser');
