import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Services } from '../services.ts';
import { foldName } from './find-user.ts';

/** Each purpose has codes of its own: one for an address does not reset a password. */
export type CodePurpose = 'email' | 'password-reset';

export const codeMinutes = 10;
/** Six characters are typed by hand, a link carries 32 (console sheet, sections 5.5 and 5.6). */
const codeBytes: Readonly<Record<CodePurpose, number>> = { email: 3, 'password-reset': 16 };
const maxAttempts = 5;

type Held = Readonly<{ hash: string }>;

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

/**
 * Codes that prove who reads a mailbox. They live in the bus's key-value store, hashed, so that every
 * process knows them and none can be read there; a code is given up after five wrong guesses.
 */
export const createOneTimeCodes = ({ bus, vault }: Pick<Services, 'bus' | 'vault'>) => {
  const held = bus.keyValue('one-time-codes', { ttlSeconds: codeMinutes * 60 });
  const keyOf = (purpose: CodePurpose, address: string): string =>
    `${purpose}.${vault.claimHash('code-address', foldName(address))}`;
  const hashOf = (purpose: CodePurpose, code: string): string =>
    vault.claimHash(`code-${purpose}`, code.trim().toLowerCase());

  return {
    /** A new code for an address; the one before is void. */
    async issue(purpose: CodePurpose, address: string): Promise<string> {
      const code = randomBytes(codeBytes[purpose]).toString('hex');
      const key = keyOf(purpose, address);
      await held.remove(`${key}.tries`);
      await held.put<Held>(key, { hash: hashOf(purpose, code) });
      return code;
    },
    /** Counts one attempt. The code stays until it is spent. */
    async isRight(purpose: CodePurpose, address: string, code: string): Promise<boolean> {
      const key = keyOf(purpose, address);
      const known = await held.get<Held>(key);
      if (known === null) return false;
      if ((await held.increment(`${key}.tries`, 1)) > maxAttempts) {
        await held.remove(key);
        return false;
      }
      return isSame(known.hash, hashOf(purpose, code));
    },
    /** True for the one who spends it. */
    spend: (purpose: CodePurpose, address: string): Promise<boolean> =>
      held.remove(keyOf(purpose, address)),
  };
};
