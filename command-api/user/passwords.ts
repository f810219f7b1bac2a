import { hash, verify } from '@node-rs/argon2';
import { adminRole, type Role } from '../../domain/access/roles.ts';
import { isCommonPassword } from './common-passwords.ts';

/** argon2id with the library's settings (19 MiB, 2 passes), off the event loop. */
export const hashPassword = (password: string): Promise<string> => hash(password);

let decoy: Promise<string> | null = null;

/** Takes as long for an unknown user as for an existing one, so that time reveals nothing. */
export const isPasswordOf = async (
  passwordHash: string | null,
  password: string,
): Promise<boolean> => {
  decoy ??= hash('password of no account');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
};

export type PasswordProblem = 'user.password-blank' | 'user.password-common';

/** What is wrong with a new password of a user of this role; its length is checked before. */
export const passwordProblem = async (
  password: string,
  role: Role,
): Promise<PasswordProblem | null> => {
  if (password.trim() === '') return 'user.password-blank';
  const isAdmin = role >= adminRole;
  return isAdmin && (await isCommonPassword(password)) ? 'user.password-common' : null;
};
