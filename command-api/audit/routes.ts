import { mayActOn } from '../../domain/access/roles.ts';
import type { FindMovements, FoundMovements } from '../../domain/account/queries.ts';
import { reject } from '../../domain/shared/decider.ts';
import { siteDecider } from '../../domain/site/decider.ts';
import type { CountBefore, CountedBefore } from '../../domain/site/messages.ts';
import { siteStreamId } from '../../domain/site/stream.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { auditApi } from '../contract/audit.ts';
import { ok } from '../http/answer.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import { loadUser } from '../user/find-user.ts';

type Deps = Readonly<{
  bus: Bus;
  clock: Clock;
  commands: CommandHandler;
}>;

export const createAuditRoutes = (deps: Deps): Handlers<typeof auditApi> => {
  const { bus, clock } = deps;

  /** Movements that are named have to be there: a correction of nothing explains nothing. */
  const correct = async (call: CallTo<'POST /api/audit/correction'>) => {
    const { user_id: userId, delta, reason, ...body } = call.body;
    const user = await loadUser(deps, userId);
    if (!user) return reject('user.unknown');
    if (!mayActOn(call.caller.role, user.role)) return reject('user.above-you');
    const corrects = [...new Set(body.corrects)];
    const question = { userId, ids: corrects };
    const { found } = await bus.request<FindMovements, FoundMovements>('ledger.find', question);
    const unknown = corrects.filter((id) => !found.includes(id));
    if (unknown.length > 0)
      return reject('correction.unknown-movement', { id: unknown.join(', ') });
    const reference = body.reference ? { reference: body.reference } : {};
    const result = await call.book({
      type: 'PostCorrection',
      data: { userId, delta, corrects, reason, ...reference },
    });
    if (result.kind === 'rejected') return result;
    const [event] = result.events;
    return ok({ balance: event?.type === 'CorrectionPosted' ? event.data.balanceAfter : null });
  };

  /** Answers how many entries go; what lies ahead cannot be old, so the cut is now at the latest. */
  const prune = async (call: CallTo<'DELETE /api/log/'>) => {
    const { target_timestamp } = call.query;
    const before = Math.min(target_timestamp, Math.floor(clock().getTime() / 1_000));
    const question = { before };
    const { count } = await bus.request<CountBefore, CountedBefore>(
      'usage-log.count-before',
      question,
    );
    const result = await call.perform(siteDecider, siteStreamId, {
      type: 'PruneUsageLog',
      data: question,
    });
    return result.kind === 'rejected' ? result : ok(count);
  };

  return {
    'DELETE /api/log/': prune,
    'POST /api/audit/correction': correct,
  };
};
