import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { idInPath } from '../contract/fields.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
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

export const createChannelBalanceRoutes = (deps: Deps, directory: Directory): Routes => {
  const readOne = async (call: Call): Promise<Answer> => {
    const { id: channelId } = call.params(idInPath);
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

  /** In the background; asking again while it runs changes nothing. */
  const readAll = async (call: Call): Promise<Answer> => {
    await deps.jobs.runNow(balanceRoundName, call.caller.userId);
    return ok();
  };

  /** Which models a channel serves is read off its settings, so there is never anything to mend. */
  const repair = async (): Promise<Answer> => ok(0);

  return {
    'GET /api/channel/update_balance/:id': readOne,
    'GET /api/channel/update_balance': readAll,
    'POST /api/channel/fix': repair,
  };
};
