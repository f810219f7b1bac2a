import type { FactorQuestion, SignInAnswer } from '../../../command-api/contract/second-factor.ts';
import type { BodyOf } from '../api/routes.ts';
import { isRecord } from '../local-values.ts';

export type { FactorQuestion, SignInAnswer };
export type FactorMethod = FactorQuestion['methods'][number];
export type FactorProof = BodyOf<'POST /api/user/second_factors/confirm'>;

export const isFactorQuestion = (value: unknown): value is FactorQuestion =>
  isRecord(value) && typeof value.token === 'string' && Array.isArray(value.methods);

/** Read when it is used: few users sign in with a passkey, and all load the page. */
export const passkeys = () => import('@simplewebauthn/browser');
