import { hash } from 'node:crypto';
import { numberAt, parseObject, textAt } from '../../protocol/json.ts';
import { refuse } from '../../protocol/refusal.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { baseOf, keyParts } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';
import { baiduBase } from './models.ts';

const anHourInSeconds = 3_600;

/** Two channels never share a token; the key itself does not become a name. */
export const tokenCacheKey = ({ channel }: TranslationContext): string =>
  `baidu:${hash('sha256', `${channel.settings.baseUrl} ${channel.key}`, 'hex')}`;

const freshToken = async (
  { channel, io }: TranslationContext,
  [id = '', secret = '']: readonly string[],
): Promise<{ value: string; ttlSeconds: number }> => {
  const query = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  });
  const reply = await io.fetch({
    method: 'POST',
    url: `${baseOf(channel, baiduBase)}/oauth/2.0/token?${query}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: null,
  });
  const answer = parseObject(reply.body.toString('utf8')) ?? {};
  const value = textAt(answer, 'access_token');
  if (value !== '') {
    const ttlSeconds = Math.max(60, (numberAt(answer, 'expires_in') ?? 0) - anHourInSeconds);
    return { value, ttlSeconds };
  }
  const code = textAt(answer, 'error');
  // Without a text the answer is a failure of the provider, not of the key.
  if (code === '')
    return refuse(upstreamFailure({ ...reply, status: Math.max(502, reply.status) }));
  return refuse({
    status: 401,
    message: textAt(answer, 'error_description') || code,
    type: 'baidu_error',
    code,
  });
};

/** @throws a refusal when the key is not two parts or the provider gives no token for it. */
export const accessToken = async (context: TranslationContext): Promise<string> => {
  const parts = keyParts(context.channel, 2);
  return context.io.cached(tokenCacheKey(context), () => freshToken(context, parts));
};
