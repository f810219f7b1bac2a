import type { TokenId } from '../shared/ids.ts';

export const tokenStreamId = (id: TokenId): string => `token-${id}`;
export const tokenKeyClaimStreamId = (keyHash: string): string => `tokenKey-${keyHash}`;
