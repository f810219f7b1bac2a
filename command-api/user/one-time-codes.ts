import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { networkOf } from '../../infra/web/network.ts';
import { foldName } from './find-user.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
}>;

/** Each purpose has separate codes: one for an address does not reset a password. */
export type CodePurpose = 'email' | 'password-reset';

export const codeMinutes = 10;
/** Six characters are typed, a link carries 32. */
const codeBytes: Readonly<Record<CodePurpose, number>> = { email: 3, 'password-reset': 16 };
/** Wrong guesses out of one network; the code is void there afterwards. */
const maxAttempts = 5;
/**
 * Guesses from networks that did not request the code, all together. A link is too long to be
 * guessed, so it may be opened anywhere.
 */
const maxStrangers: Readonly<Record<CodePurpose, number>> = {
  email: 50,
  'password-reset': Number.POSITIVE_INFINITY,
};

/** The requester of a code, or the person who enters one. */
export type CodeUse = Readonly<{ purpose: CodePurpose; address: string; ip: string }>;

type Held = Readonly<{
  hash: string;
  /** Attempts are counted under it, so that a new code starts at zero. */
  id: string;
  askedFrom: string;
}>;

const idBytes = 9;

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

/**
 * Codes that prove who reads a mailbox. They are kept in the bus's key-value store, hashed, so that
 * every process has them and none can be read there. Guesses are counted by network: those of
 * others do not void the code where it was requested.
 */
export const createOneTimeCodes = ({ bus, vault }: Deps) => {
  const held = bus.keyValue('one-time-codes', { ttlSeconds: codeMinutes * 60 });
  const keyOf = ({ purpose, address }: Pick<CodeUse, 'purpose' | 'address'>): string =>
    `${purpose}.${vault.claimHash('code-address', foldName(address))}`;
  const hashOf = (purpose: CodePurpose, code: string): string =>
    vault.claimHash(`code-${purpose}`, code.trim().toLowerCase());
  const networkHash = (ip: string): string => vault.claimHash('code-network', networkOf(ip));

  const mayTry = async (use: CodeUse, { id, askedFrom }: Held): Promise<boolean> => {
    const network = networkHash(use.ip);
    const tries = `${keyOf(use)}.${id}`;
    if ((await held.increment(`${tries}.${network}`, 1)) > maxAttempts) return false;
    if (network === askedFrom) return true;
    return (await held.increment(`${tries}.strangers`, 1)) <= maxStrangers[use.purpose];
  };

  return {
    /** A new code for an address; the one before is void. */
    async issue({ purpose, address, ip }: CodeUse): Promise<string> {
      const code = randomBytes(codeBytes[purpose]).toString('hex');
      const id = randomBytes(idBytes).toString('base64url');
      const hash = hashOf(purpose, code);
      await held.put<Held>(keyOf({ purpose, address }), { hash, id, askedFrom: networkHash(ip) });
      return code;
    },
    /** Counts one attempt. The code stays until it is spent. */
    async isRight(use: CodeUse, code: string): Promise<boolean> {
      const known = await held.get<Held>(keyOf(use));
      if (known === null || !(await mayTry(use, known))) return false;
      return isSame(known.hash, hashOf(use.purpose, code));
    },
    /** True for the one who spends it. */
    spend: (use: Pick<CodeUse, 'purpose' | 'address'>): Promise<boolean> => held.remove(keyOf(use)),
  };
};
