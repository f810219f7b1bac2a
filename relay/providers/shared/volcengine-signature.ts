import { hmacChain, hmacSha256, sha256Hex } from './hmac.ts';

export type VolcengineCall = Readonly<{
  url: URL;
  /** As it goes up, byte by byte. */
  body: string;
  /** Unix seconds. */
  now: number;
  access: string;
  secret: string;
}>;

const [region, service] = ['cn-north-1', 'cv'];

/** 1700000000 as 20231114T221320Z. */
const basicTime = (seconds: number): string =>
  new Date(seconds * 1_000)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');

/** Headers with which Volcengine's OpenAPI takes a POST of JSON. The query must be in order. */
export const signVolcengine = ({
  url,
  body,
  now,
  access,
  secret,
}: VolcengineCall): Readonly<Record<string, string>> => {
  const time = basicTime(now);
  const day = time.slice(0, 8);
  const digest = sha256Hex(body);
  const signed = {
    'content-type': 'application/json',
    host: url.host,
    'x-content-sha256': digest,
    'x-date': time,
  };
  const names = Object.keys(signed).join(';');
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
  const query = url.search.slice(1);
  const request = ['POST', url.pathname, query, lines.join(''), names, digest].join('\n');
  const scope = `${day}/${region}/${service}/request`;
  const text = ['HMAC-SHA256', time, scope, sha256Hex(request)].join('\n');
  const key = hmacChain(secret, [day, region, service, 'request']);
  const signature = hmacSha256(key, text).toString('hex');
  return {
    'content-type': signed['content-type'],
    'x-content-sha256': digest,
    'x-date': time,
    authorization: `HMAC-SHA256 Credential=${access}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
};
