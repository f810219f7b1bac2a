import { xunfei as facts } from '../../../domain/channel/providers/xunfei.ts';
import { hmacSha256 } from '../shared/hmac.ts';
import { baseOf } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';

const base = facts.baseUrl;

/**
 * A websocket address that carries its own signature, good for 300 s.
 * It must not be shown to anybody.
 */
export const signedAddress = (
  { channel, io }: TranslationContext,
  path: string,
  { apiKey, apiSecret }: Readonly<{ apiKey: string; apiSecret: string }>,
): string => {
  const origin = baseOf(channel, base).replace(/^http/, 'ws');
  const { host } = new URL(origin);
  const date = io.now().toUTCString();
  const text = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`;
  const signature = hmacSha256(apiSecret, text).toString('base64');
  const plain = [
    `api_key="${apiKey}"`,
    'algorithm="hmac-sha256"',
    'headers="host date request-line"',
    `signature="${signature}"`,
  ].join(', ');
  const authorization = Buffer.from(plain).toString('base64');
  return `${origin}${path}?${new URLSearchParams({ authorization, date, host })}`;
};
