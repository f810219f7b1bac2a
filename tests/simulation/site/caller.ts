import type { Caller } from '../../../relay/admission/caller.ts';
import { type CallPlan, tokenIdOf, userIdOf } from '../history.ts';

/** The caller, as the relay's feeds describe him. */
export const callerOf = ({ customer, token }: CallPlan): Caller => ({
  account: {
    userId: userIdOf(customer),
    role: 1,
    status: 1,
    group: 'default',
    sessionEpoch: 0,
    sessionIds: [],
    acceptUnsetModelRatioModel: false,
  },
  token: null,
  tokenId: tokenIdOf(customer, token),
  tokenGroup: '',
  pinnedChannelId: null,
});
