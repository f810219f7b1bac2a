import { hash } from 'node:crypto';

/** What an access token is stored and looked up by. */
export const accessTokenHash = (token: string): string => hash('sha256', token, 'hex');

/** The token in an `Authorization` header, with or without the name of the scheme. */
export const tokenIn = (authorization: string): string =>
  authorization.replace(/^Bearer\s+/i, '').trim();
