import { isExpired } from '../../domain/access/token-status.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import { addressList, allowsAddress } from '../../infra/web/address-list.ts';
import { apiKeyHash, readApiKey } from '../../infra/web/api-key.ts';
import type { ClientAddress } from '../../infra/web/client-address.ts';
import type { KeyToken, Lookups } from './lookups.ts';
import type { Caller } from './sign-in.ts';

/** Ends a call that an API key opens, in the error form of the relay. */
export class KeyRefusedError extends Error {
  readonly status: 401 | 403;
  readonly code: 'invalid_api_key' | 'account_deactivated' | 'ip_not_allowed';
  constructor(status: 401 | 403, message: string, code?: KeyRefusedError['code']) {
    super(message);
    this.name = 'KeyRefusedError';
    this.status = status;
    this.code = code ?? (status === 401 ? 'invalid_api_key' : 'account_deactivated');
  }
}

export const keyRefusalBody = ({ message, code }: KeyRefusedError) => ({
  error: { message, type: 'tollgate_error', param: null, code },
});

const problemOf = (token: KeyToken, nowSeconds: number): string | null => {
  if (token.status !== 1) return 'The API key is disabled';
  if (isExpired(token.expired_time, nowSeconds)) return 'The API key has expired';
  return token.unlimited_quota || token.remain_quota > 0 ? null : 'The API key is used up';
};

const isAllowed = ({ allow_ips: list }: KeyToken, address: string): boolean => {
  const addresses = addressList(list.split('\n').filter((entry) => entry !== ''));
  return addresses === null || allowsAddress(addresses, address);
};

type Deps = Readonly<{ lookups: Lookups; clock: Clock; clientAddress: ClientAddress }>;
export type SignedKey = Readonly<{ token: KeyToken; owner: Caller }>;

const ownerOf = async ({ lookups }: Pick<Deps, 'lookups'>, userId: number): Promise<Caller> => {
  const owner = await lookups.userById(userId);
  if (owner === null || owner.deleted) throw new KeyRefusedError(401, 'The API key is invalid');
  if (owner.status !== 1) throw new KeyRefusedError(403, 'The owner of the API key is banned');
  return owner;
};

/** Who calls with an API key. @throws KeyRefusedError */
export const createKeySignIn =
  ({ lookups, clock, clientAddress }: Deps) =>
  async (request: Parameters<ClientAddress>[0]): Promise<SignedKey> => {
    // From the header alone: addresses are in the logs of every proxy.
    const given = readApiKey(request.headers.authorization ?? '');
    if (given === null) throw new KeyRefusedError(401, 'No API key was given');
    const token = await lookups.tokenByKeyHash(apiKeyHash(given.key));
    if (token === null) throw new KeyRefusedError(401, 'The API key is invalid');
    const problem = problemOf(token, Math.floor(clock().getTime() / 1_000));
    if (problem !== null) throw new KeyRefusedError(401, problem);
    const owner = await ownerOf({ lookups }, token.user_id);
    if (isAllowed(token, clientAddress(request))) return { token, owner };
    const text = 'Your address is not on the list of this API key';
    throw new KeyRefusedError(403, text, 'ip_not_allowed');
  };
