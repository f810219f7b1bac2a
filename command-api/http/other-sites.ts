import type { IncomingHttpHeaders } from 'node:http';
import { reject } from '../../domain/shared/decider.ts';
import { isForgedByAnotherSite, isNavigation } from '../../infra/web/cross-site.ts';
import type { RouteKey } from '../contract/routes.ts';
import { hasGuard } from './routes.ts';

/** What a form can send to another site without asking (Fetch, CORS-safelisted request-header). */
const formTypes: ReadonlySet<string> = new Set([
  'text/plain',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
]);

const isForm = ({ 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  formTypes.has((type.split(';')[0] ?? '').trim().toLowerCase());

const isForged = (key: RouteKey, headers: IncomingHttpHeaders): boolean => {
  if (hasGuard(key, 'signed')) return false;
  if (key.startsWith('GET ') && !hasGuard(key, 'no-cross-site')) return false;
  if (hasGuard(key, 'login-return') && isNavigation(headers)) return false;
  return isForgedByAnotherSite(headers);
};

/**
 * Refuses calls that the page of another site makes with a visitor's browser; null lets the call
 * pass.
 */
export const refusalOfOtherSites = (key: RouteKey, headers: IncomingHttpHeaders) => {
  if (isForged(key, headers)) return { status: 403, ...reject('request.cross-site') };
  if (hasGuard(key, 'json-only') && isForm(headers)) {
    return { status: 415, ...reject('request.not-json') };
  }
  return null;
};
