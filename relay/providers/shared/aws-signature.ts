import { hmacChain, hmacSha256, sha256Hex } from './hmac.ts';

export type AwsKey = Readonly<{ id: string; secret: string; region: string }>;

export type AwsCall = Readonly<{
  /** POST where absent. */
  method?: 'GET' | 'POST';
  url: URL;
  body: string;
  service: string;
  now: Date;
  /** Lower-case names, signed with host and date. */
  headers: Readonly<Record<string, string>>;
}>;

/** 2023-11-14T22:13:20.000Z as 20231114T221320Z. */
const basicTime = (now: Date): string =>
  now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');

/** Segments are encoded once more than in the address, as every service but S3 requires. */
const canonicalPath = (url: URL): string =>
  url.pathname
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replace(
        /[!'()*]/g,
        (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');

export type AwsSigned = Readonly<{
  headers: Readonly<Record<string, string>>;
  canonicalRequest: string;
  stringToSign: string;
}>;

/** Headers with which AWS takes a call: Signature Version 4. */
export const signAws = (call: AwsCall, key: AwsKey): AwsSigned => {
  const time = basicTime(call.now);
  const headers: Record<string, string> = {
    ...call.headers,
    host: call.url.host,
    'x-amz-date': time,
  };
  const names = Object.keys(headers).sort();
  const signedNames = names.join(';');
  const canonicalRequest = [
    call.method ?? 'POST',
    canonicalPath(call.url),
    '',
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    signedNames,
    sha256Hex(call.body),
  ].join('\n');
  const scope = [time.slice(0, 8), key.region, call.service, 'aws4_request'];
  const stringToSign = [
    'AWS4-HMAC-SHA256',
    time,
    scope.join('/'),
    sha256Hex(canonicalRequest),
  ].join('\n');
  const signature = hmacSha256(hmacChain(`AWS4${key.secret}`, scope), stringToSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${key.id}/${scope.join('/')}, SignedHeaders=${signedNames}, Signature=${signature}`;
  return { headers: { ...headers, authorization }, canonicalRequest, stringToSign };
};
