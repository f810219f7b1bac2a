import { objectAt } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import { amountAt, balanceOf, type ProviderAccount, readJson } from '../shared/account.ts';
import { baseOf } from '../shared/outgoing.ts';

/** The account is at another host than the calls. */
const accountUrl = 'https://aiproxy.io';

export const pointsBalance: NonNullable<ProviderAccount['balance']> = (channel, io) =>
  orRefusal(async () => {
    const url = `${baseOf(channel, accountUrl)}/api/report/getUserOverview`;
    const answer = await readJson(io, url, { 'api-key': channel.key });
    const isFine = answer.success === true;
    return balanceOf(isFine ? amountAt(objectAt(answer, 'data'), 'totalPoints') : null, 'points');
  });
