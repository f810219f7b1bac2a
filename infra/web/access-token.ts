import { hash } from 'node:crypto';

/** The form in which an access token is stored and searched. */
export const accessTokenHash = (token: string): string => hash('sha256', token, 'hex');

/** The token in an `Authorization` header, with or without the name of the scheme. */
export const tokenIn = (authorization: string): string =>
  authorization.replace(/^Bearer\s+/i, '').trim();
