/** OpenSSL's and Node's words for a certificate that is not accepted, and what each means. */
const certificateCodes: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'it is of an unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'it is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it is of an unknown authority',
  CERT_SIGNATURE_FAILURE: 'it is of an unknown authority',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
};

/** The same in the texts that gRPC keeps of them. */
const certificateTexts: readonly (readonly [RegExp, string])[] = [
  [/self.signed certificate|unable to (get|verify).*certificate/i, 'it is of an unknown authority'],
  [/certificate has expired/i, 'it has expired'],
  [/does not match certificate|altnames/i, 'it is for another host name'],
];

const chainOf = (error: unknown): readonly object[] => {
  const chain: object[] = [];
  for (let at = error; typeof at === 'object' && at !== null && chain.length < 5; ) {
    chain.push(at);
    const { cause, chainedError } = at as { cause?: unknown; chainedError?: unknown };
    at = cause ?? chainedError;
  }
  return chain;
};

const textOf = (error: object, name: string): string => {
  const value: unknown = (error as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
};

/** What is wrong with the certificate of a server; null when that is not what failed. */
export const tlsProblem = (error: unknown): string | null => {
  for (const part of chainOf(error)) {
    const byCode = certificateCodes[textOf(part, 'code')];
    if (byCode !== undefined) return byCode;
    const text = `${textOf(part, 'message')} ${textOf(part, 'details')}`;
    const byText = certificateTexts.find(([pattern]) => pattern.test(text));
    if (byText !== undefined) return byText[1];
  }
  return null;
};
