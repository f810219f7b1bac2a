import { configurationError, refuse } from '../../../protocol/refusal.ts';
import type { TranslationContext } from '../../translate.ts';
import { hmacSha256 } from '../hmac.ts';

type Caller = Pick<TranslationContext, 'channel' | 'io'>;

const aDayInMs = 24 * 60 * 60 * 1_000;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * The `Authorization` value for a key `id.secret`: a token of a day, times in milliseconds and no
 * word before it.
 * @throws a refusal when the key has no two parts.
 */
export const signedToken = ({ channel, io }: Caller): string => {
  const [id = '', secret = '', ...rest] = channel.key.split('.');
  if (id === '' || secret === '' || rest.length > 0) {
    return refuse(configurationError('The key of the channel must have the form id.secret'));
  }
  const now = io.now().getTime();
  const header = encoded({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' });
  const payload = encoded({ api_key: id, exp: now + aDayInMs, timestamp: now });
  const signature = hmacSha256(secret, `${header}.${payload}`).toString('base64url');
  return `${header}.${payload}.${signature}`;
};

/** Newer keys are sent as they are. */
export const authorization = (context: Caller): string => {
  const { key } = context.channel;
  return key.includes('.') ? signedToken(context) : `Bearer ${key}`;
};
