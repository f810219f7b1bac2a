import { hash, verify } from '@node-rs/argon2';

/** argon2id with the library's settings (19 MiB, 2 passes), off the event loop. */
export const hashPassword = (password: string): Promise<string> => hash(password);

let decoy: Promise<string> | null = null;

/** Takes as long for somebody unknown as for somebody known, so that time tells nothing. */
export const isPasswordOf = async (
  passwordHash: string | null,
  password: string,
): Promise<boolean> => {
  decoy ??= hash('nobody has this password');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
};
