import { useSyncExternalStore } from 'react';
import { isRecord, readLocal, readLocalJson, removeLocal, writeLocal } from './local-values.ts';

/** The signed-in person as kept in the browser. Never a token or a password. */
export type StoredUser = Readonly<{
  id: number;
  username: string;
  display_name: string;
  role: number;
  status: number;
  group: string;
}>;

export const adminRole = 10;
export const rootRole = 100;

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

/** Keeps only the six fields that the console needs, whatever else the server sent. */
export const storeUser = (user: StoredUser): void => {
  const { id, username, display_name, role, status, group } = user;
  writeLocal('user', JSON.stringify({ id, username, display_name, role, status, group }));
  announce();
};

export const clearUser = (): void => {
  removeLocal('user');
  announce();
};

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

export const useIsAdmin = (): boolean => (useStoredUser()?.role ?? 0) >= adminRole;
