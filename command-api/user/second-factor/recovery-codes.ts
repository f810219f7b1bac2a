import { createHash, randomBytes } from 'node:crypto';
import type { UserId } from '../../../domain/shared/ids.ts';
import { recoveryCodeCount } from '../../../domain/user/second-factors.ts';
import type { Vault } from '../../../infra/ports/vault.ts';
import type { Call } from '../../http/call.ts';

type Hasher = Pick<Vault, 'claimHash'>;

/** 32 characters, so five bits each; none that is read as another one. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const codeLength = 10;

/** A repeated request must get the same codes, and only their hashes are stored. */
const seedOf = ({ isRepeatable, metadata }: Call, vault: Hasher): string =>
  isRepeatable
    ? vault.claimHash('recovery-codes', metadata.commandId)
    : randomBytes(32).toString('hex');

const codeFrom = (seed: string, nth: number): string => {
  const bytes = createHash('sha256').update(`${seed}/${nth}`).digest();
  const text = [...bytes.subarray(0, codeLength)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('');
  return `${text.slice(0, codeLength / 2)}-${text.slice(codeLength / 2)}`;
};

/** The whole set, as it is shown once. */
export const newRecoveryCodes = (call: Call, vault: Hasher): readonly string[] => {
  const seed = seedOf(call, vault);
  return Array.from({ length: recoveryCodeCount }, (_, nth) => codeFrom(seed, nth));
};

/** Case, blanks and dashes do not count: codes are typed. */
export const recoveryCodeHash = (vault: Hasher, userId: UserId, code: string): string =>
  vault.claimHash('recovery-code', `${userId}/${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
