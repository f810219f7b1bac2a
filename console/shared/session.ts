import { useSyncExternalStore } from 'react';
import { roles } from '../../projections/contract/codes.ts';
import { isRecord, readLocal, readLocalJson, removeLocal, writeLocal } from './local-values.ts';

/** The signed-in user as kept in the browser. Never a token or a password. */
export type StoredUser = Readonly<{
  id: number;
  username: string;
  display_name: string;
  role: number;
  status: number;
  group: string;
}>;

const isStoredUser = (value: unknown): value is StoredUser =>
  isRecord(value) && typeof value.id === 'number' && typeof value.username === 'string';

const listeners = new Set<() => void>();
let cached: { text: string | null; user: StoredUser | null } = { text: null, user: null };

/** Same object for the same text, so that React sees no change where there is none. */
export const storedUser = (): StoredUser | null => {
  const text = readLocal('user');
  if (text !== cached.text) cached = { text, user: readLocalJson('user', isStoredUser) };
  return cached.user;
};

const announce = () => {
  for (const listener of listeners) listener();
};

let isExpired = false;

/** Keeps only the six fields that the console needs, whatever else the server sent. */
export const storeUser = (user: StoredUser): void => {
  const { id, username, display_name, role, status, group } = user;
  isExpired = false;
  writeLocal('user', JSON.stringify({ id, username, display_name, role, status, group }));
  announce();
};

/** `expired`: the session has ended at the server; the login page will show that. */
export const clearUser = (reason: 'logout' | 'expired' = 'logout'): void => {
  isExpired = reason === 'expired';
  removeLocal('user');
  announce();
};

export const wasExpired = (): boolean => isExpired;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

export const useStoredUser = (): StoredUser | null =>
  useSyncExternalStore(subscribe, storedUser, () => null);

export const useIsAdmin = (): boolean => (useStoredUser()?.role ?? 0) >= roles.admin;
