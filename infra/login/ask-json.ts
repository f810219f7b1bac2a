import type { LoginFailure } from '../ports/logins.ts';
import type { BoundedFetch } from './bounded-fetch.ts';
import { failed, reasonOf } from './failure.ts';

export type JsonAnswer = Readonly<{ status: number; body: unknown }>;

/** An answer that is no JSON is as good as none. */
export const askJson = async (
  fetch: BoundedFetch,
  url: string | URL,
  init: RequestInit,
): Promise<JsonAnswer | LoginFailure> => {
  const headers = { accept: 'application/json', 'user-agent': 'tollgate', ...init.headers };
  try {
    const response = await fetch(url, { ...init, headers });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    return failed('unreachable', reasonOf(error));
  }
};
