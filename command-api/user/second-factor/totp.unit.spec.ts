import { expect, test } from 'vitest';
import { newTotpSecret, timeStepOf, totpUri } from './totp.ts';

/** "12345678901234567890" in base32: the secret of RFC 6238, appendix B. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
])('the code of RFC 6238 for second %i belongs to its time step', (seconds, code, step) => {
  expect(timeStepOf(secret, code, seconds * 1_000)).toBe(step);
});

test('codes of the step before and after count, those further away do not', () => {
  const at = (seconds: number) => timeStepOf(secret, '081804', seconds * 1_000);
  expect(at(1_111_111_109 + 30)).toBe(37_037_036);
  expect(at(1_111_111_109 - 30)).toBe(37_037_036);
  expect(at(1_111_111_109 + 61)).toBeNull();
  expect(at(1_111_111_109 - 61)).toBeNull();
});

test.each(['', '28708', '2870821', '28708x', '000000'])('"%s" is no code', (code) => {
  expect(timeStepOf(secret, code, 59_000)).toBeNull();
});

test('the address for the QR code names site and person, and secrets have 160 bits', () => {
  const uri = totpUri(secret, { issuer: 'My: Gate', account: 'ada' });
  expect(uri).toMatch(/^otpauth:\/\/totp\/My%20%20Gate:ada\?/);
  expect(new URL(uri).searchParams.get('secret')).toBe(secret);
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
});
