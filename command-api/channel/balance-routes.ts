import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { channelBalanceApi } from '../contract/channel.ts';
import { ok } from '../http/answer.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { JobRunner } from '../jobs/run-jobs.ts';
import { askForBalance } from './ask-for-account.ts';
import { balanceRoundName } from './balance-round.ts';
import type { createChannelDirectory } from './directory.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
  jobs: JobRunner;
}>;

type Directory = ReturnType<typeof createChannelDirectory>;

export const createChannelBalanceRoutes = (
  deps: Deps,
  directory: Directory,
): Handlers<typeof channelBalanceApi> => {
  const readOne = async (call: CallTo<'GET /api/channel/update_balance/:id'>) => {
    const { id: channelId } = call.params;
    const channel = await directory.find(channelId);
    if (!channel) return reject('channel.unknown');
    const reply = await askForBalance(deps, channel);
    if (reply.kind === 'no-relay') return reject('channel.no-relay');
    if (reply.kind === 'unsupported') return reject('channel.balance-unsupported');
    if (reply.kind !== 'balance') return reject('channel.balance-not-read');
    const { balance } = reply;
    const recorded = await call.perform(channelDecider, channelStreamId(channelId), {
      type: 'RecordBalance',
      data: { channelId, balance },
    });
    return recorded.kind === 'rejected' ? recorded : ok(undefined, { balance: Number(balance) });
  };

  return {
    'GET /api/channel/update_balance/:id': readOne,
    /** In the background; another call while it runs changes nothing. */
    'GET /api/channel/update_balance': async ({ caller }) => {
      await deps.jobs.runNow(balanceRoundName, caller.userId);
      return ok();
    },
    /** The models of a channel follow from its settings, so there is never anything to repair. */
    'POST /api/channel/fix': async () => ok(0),
  };
};
