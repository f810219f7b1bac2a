import { hmacChain, hmacSha256, sha256Hex } from '../shared/hmac.ts';

export type SignedCall = Readonly<{
  host: string;
  action: string;
  /** The exact bytes that go up. */
  body: string;
  now: Date;
}>;

const service = 'hunyuan';
const signedHeaders = 'content-type;host;x-tc-action';

/** TC3-HMAC-SHA256 over the body and three headers. */
export const tc3Authorization = (
  { host, action, body, now }: SignedCall,
  { secretId, secretKey }: Readonly<{ secretId: string; secretKey: string }>,
): string => {
  const timestamp = Math.floor(now.getTime() / 1_000);
  const date = now.toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const headers = `content-type:application/json\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`;
  const canonical = ['POST', '/', '', headers, signedHeaders, sha256Hex(body)].join('\n');
  const text = ['TC3-HMAC-SHA256', timestamp, scope, sha256Hex(canonical)].join('\n');
  const key = hmacChain(`TC3${secretKey}`, [date, service, 'tc3_request']);
  const signature = hmacSha256(key, text).toString('hex');
  const credential = `Credential=${secretId}/${scope}`;
  return `TC3-HMAC-SHA256 ${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
};
