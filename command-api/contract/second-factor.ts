import { z } from 'zod';
import { maxPasskeyNameLength } from './limits.ts';
import { route } from './route.ts';

/** As the answer before returned it; valid for five minutes, in the browser or session that it was returned to. */
const token = z.string().min(1).max(4_096);
const base64url = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]+$/);
/** `AuthenticatorTransport` of WebAuthn; new ones may be added. */
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

const factorProof = z.discriminatedUnion('method', [byTotp, byRecoveryCode, byPasskey]);
/** The password counts for those without a second factor. */
const confirmation = z.discriminatedUnion('method', [
  byTotp,
  byRecoveryCode,
  byPasskey,
  byPassword,
]);
export type Confirmation = z.infer<typeof confirmation>;

const blank = z.literal('');
/** Who signed in. Balances and settings come from `/api/user/self`; here they are blank. */
const signedInUser = z.object({
  id: z.number().int(),
  username: z.string(),
  display_name: z.string(),
  role: z.number().int(),
  status: z.number().int(),
  group: z.string(),
  password: blank,
  email: blank,
  github_id: blank,
  oidc_id: blank,
  wechat_id: blank,
  telegram_id: blank,
  linux_do_id: blank,
  verification_code: blank,
  access_token: z.null(),
  quota: z.literal(0),
  used_quota: z.literal(0),
  request_count: z.literal(0),
  aff_code: blank,
  aff_count: z.literal(0),
  aff_quota: z.literal(0),
  aff_history_quota: z.literal(0),
  inviter_id: z.literal(0),
  DeletedAt: z.null(),
  setting: blank,
});
export type SignedInUser = z.infer<typeof signedInUser>;

/** Options of WebAuthn, for `navigator.credentials`. */
const passkeyOptions = z.looseObject({ challenge: z.string() });

/** By which methods a person can prove who they are, and what a passkey signs. Valid for five minutes. */
const factorQuestion = z.object({
  methods: z.array(z.enum(['passkey', 'totp', 'recovery-code', 'password'])),
  token: z.string(),
  passkey: passkeyOptions.optional(),
});
export type FactorQuestion = z.infer<typeof factorQuestion>;

/** The user, or the question for a second factor. */
export const signInAnswer = z.union([signedInUser, z.object({ second_factor: factorQuestion })]);
export type SignInAnswer = z.infer<typeof signInAnswer>;

const passkeyName = z.string().trim().min(1).max(maxPasskeyNameLength);
/** The credential id of WebAuthn. */
const passkeyInPath = z.object({ id: base64url.max(1_400) });
/** Come with the first factor; empty with later ones. */
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

export const secondFactorApi = {
  'POST /api/user/login/second_factor': route('public', 'Takes the second step of a sign-in.', {
    body: factorProof,
    data: signedInUser,
    guards: ['rate-limited', 'json-only'],
  }),
  'POST /api/user/second_factors/challenge': route('user', 'Starts a confirmation.', {
    data: factorQuestion,
  }),
  'POST /api/user/second_factors/confirm': route(
    'user',
    'Confirms who the caller is, for ten minutes of this session.',
    { body: confirmation },
  ),
};

export const enrolApi = {
  'POST /api/user/second_factors/totp': route('user', 'Starts to enrol an authenticator app.', {
    data: z.object({ token: z.string(), secret: z.string(), uri: z.string() }),
  }),
  'PUT /api/user/second_factors/totp': route('user', 'Enrols an authenticator app.', {
    /** `code` of the authenticator that got the new secret. */
    body: z.object({ token, code: z.string().trim().min(1).max(16) }),
    data: recoveryCodes,
  }),
  'DELETE /api/user/second_factors/totp': route('user', 'Removes the authenticator app.', {}),
  'POST /api/user/second_factors/passkey_options': route('user', 'Starts to enrol a passkey.', {
    data: z.object({ token: z.string(), options: passkeyOptions }),
  }),
  'POST /api/user/second_factors/passkeys': route('user', 'Enrols a passkey.', {
    body: z.object({ token, name: passkeyName, credential: registration }),
    data: recoveryCodes,
  }),
  'PUT /api/user/second_factors/passkeys/:id': route('user', 'Renames a passkey.', {
    params: passkeyInPath,
    body: z.object({ name: passkeyName }),
  }),
  'DELETE /api/user/second_factors/passkeys/:id': route('user', 'Removes a passkey.', {
    params: passkeyInPath,
  }),
  'POST /api/user/second_factors/recovery_codes': route('user', 'Replaces the recovery codes.', {
    data: recoveryCodes,
  }),
};
