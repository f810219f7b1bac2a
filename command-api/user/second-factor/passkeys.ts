import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import { isForwardedFromTls } from '../../../infra/web/forwarded.ts';
import type { PasskeyAssertion, PasskeyRegistration } from '../../contract/second-factor.ts';
import type { SiteOptions } from '../../options/site-options.ts';
import type { KnownUser } from '../find-user.ts';

type Deps = Readonly<{
  options: SiteOptions;
}>;

/** Only who uses passkeys pays for reading the library. */
const library = () => import('@simplewebauthn/server');

const challengeBytes = 32;
export const newPasskeyChallenge = (): string => randomBytes(challengeBytes).toString('base64url');

/**
 * The owner of passkeys of this site (WebAuthn, relying party), and the pages that may use them.
 */
export type RelyingParty = Readonly<{ id: string; origin: string }>;

const fromAddress = (address: string): RelyingParty => {
  const { hostname, origin } = new URL(address);
  return { id: hostname, origin };
};

/** By the site's own address, else by the requested host; null: neither names one. */
export const relyingParty = async (
  { options }: Deps,
  headers: IncomingHttpHeaders,
): Promise<RelyingParty | null> => {
  const own = await options.text('ServerAddress');
  if (own !== '') return fromAddress(own);
  const forwarded = String(headers['x-forwarded-host'] ?? '')
    .split(',')[0]
    ?.trim();
  const scheme = isForwardedFromTls(headers) ? 'https' : 'http';
  const address = `${scheme}://${forwarded || headers.host}`;
  return URL.canParse(address) ? fromAddress(address) : null;
};

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'));

const known = ({ secondFactors }: KnownUser) =>
  secondFactors.passkeys.map(({ credentialId: id, transports }) => ({
    id,
    transports: [...transports],
  }));

type Asked = Readonly<{ party: RelyingParty; user: KnownUser; challenge: string }>;

/** For `navigator.credentials.create`. */
export const registrationOptions = async (
  { party, user, challenge }: Asked,
  { siteName, handle }: Readonly<{ siteName: string; handle: string }>,
) => {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: siteName,
    userName: user.username,
    userID: bytes(handle),
    challenge: bytes(challenge),
    excludeCredentials: known(user),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
};

/** For `navigator.credentials.get`. The password was checked before, so a touch is enough. */
export const assertionOptions = async ({ party, user, challenge }: Asked) => {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytes(challenge),
    allowCredentials: known(user),
    userVerification: 'preferred',
  });
};

export type NewPasskey = Readonly<{
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
}>;

type Expected = Readonly<{ party: RelyingParty; challenge: string }>;
const expectedOf = ({ party, challenge }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  requireUserVerification: false,
});

/** null: for another challenge, page or site, or not signed by its key. */
export const verifiedRegistration = async (
  { response, ...credential }: PasskeyRegistration,
  expected: Expected,
): Promise<NewPasskey | null> => {
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: {
          ...response,
          transports: response.transports as AuthenticatorTransport[],
        },
        clientExtensionResults: {},
      },
      ...expectedOf(expected),
    });
    if (!verified || registrationInfo === undefined) return null;
    const { id: credentialId, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: response.transports,
    };
  } catch {
    // The library throws for whatever does not match.
    return null;
  }
};

type Stored = KnownUser['secondFactors']['passkeys'][number];

/** The counter as it is now; null as above. Whether it grew is decided by the decider. */
export const verifiedAssertion = async (
  assertion: PasskeyAssertion,
  { credentialId: id, publicKey }: Stored,
  expected: Expected,
): Promise<number | null> => {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      credential: { id, publicKey: bytes(publicKey), counter: 0 },
      ...expectedOf(expected),
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
};
