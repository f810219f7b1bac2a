import { z } from 'zod';
import { maxPasskeyNameLength } from './limits.ts';

/** What the answer before gave out; good for five minutes, in the browser or session that asked. */
const token = z.string().min(1).max(4_096);
const base64url = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]+$/);
/** `AuthenticatorTransport` of WebAuthn; new ones may come. */
const transport = z.string().max(32);

/** `AuthenticationResponseJSON` of WebAuthn level 3. */
const assertion = z.object({
  id: base64url.max(1_400),
  rawId: base64url.max(1_400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
});
export type PasskeyAssertion = z.infer<typeof assertion>;

/** `RegistrationResponseJSON` of WebAuthn level 3. */
const registration = z.object({
  id: base64url.max(1_400),
  rawId: base64url.max(1_400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url.max(60_000),
    transports: z.array(transport).max(16).default([]),
  }),
});
export type PasskeyRegistration = z.infer<typeof registration>;

const byTotp = z.object({
  method: z.literal('totp'),
  token,
  code: z.string().trim().min(1).max(16),
});
const byRecoveryCode = z.object({
  method: z.literal('recovery-code'),
  token,
  code: z.string().trim().min(1).max(64),
});
const byPasskey = z.object({ method: z.literal('passkey'), token, assertion });
const byPassword = z.object({
  method: z.literal('password'),
  token,
  password: z.string().min(1).max(256),
});

/** POST /api/user/login/second_factor: the second step of a sign-in. */
export const factorProofBody = z.discriminatedUnion('method', [byTotp, byRecoveryCode, byPasskey]);

/**
 * POST /api/user/second_factors/confirm: proves the caller anew, for ten minutes of this session.
 * The password counts for those without a second factor.
 */
export const confirmationBody = z.discriminatedUnion('method', [
  byTotp,
  byRecoveryCode,
  byPasskey,
  byPassword,
]);
export type Confirmation = z.infer<typeof confirmationBody>;

/** PUT /api/user/second_factors/totp: `code` of the authenticator that got the new secret. */
export const enrolTotpBody = z.object({ token, code: z.string().trim().min(1).max(16) });

const passkeyName = z.string().trim().min(1).max(maxPasskeyNameLength);
/** POST /api/user/second_factors/passkeys */
export const addPasskeyBody = z.object({ token, name: passkeyName, credential: registration });
/** PUT /api/user/second_factors/passkeys/:id */
export const renamePasskeyBody = z.object({ name: passkeyName });
/** The credential id of WebAuthn, base64url. */
export const passkeyInPath = z.object({ id: base64url.max(1_400) });
