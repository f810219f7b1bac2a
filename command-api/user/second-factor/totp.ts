import { Secret, TOTP } from 'otpauth';

/** What every authenticator app understands (RFC 6238). */
const digits = 6;
const periodSeconds = 30;
/** Steps before and after now: clocks of phones differ. */
const window = 1;
/** 160 bits (RFC 4226, section 4, R6). */
const secretBytes = 20;

/** Base32. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

const totpOf = (secret: string): TOTP =>
  new TOTP({ secret: Secret.fromBase32(secret), digits, period: periodSeconds });

/** The content of the QR code. */
export const totpUri = (
  secret: string,
  { issuer, account }: Readonly<{ issuer: string; account: string }>,
): string =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    digits,
    period: periodSeconds,
    // A colon would end the issuer within the label.
    issuer: issuer.replaceAll(':', ' '),
    label: account,
  }).toString();

/** The time step that a code belongs to; null when it is none of those around now. */
export const timeStepOf = (secret: string, code: string, nowMs: number): number | null => {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = totpOf(secret);
  const offset = totp.validate({ token, timestamp: nowMs, window });
  return offset === null ? null : totp.counter({ timestamp: nowMs }) + offset;
};
