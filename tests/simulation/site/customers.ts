import type { CallPlan } from '../history.ts';
import type { CallTruth } from '../oracle/truth.ts';
import type { Machine } from '../world/machine.ts';
import type { World } from '../world/world.ts';
import type { SessionClient } from './relay-session.ts';
import { SessionCustomer } from './session-customer.ts';

type Outcome = 'answered' | 'refused' | 'failed';

const clientOf = (
  { network, outside, truth: all, scheduler }: World,
  relay: Machine,
  customer: SessionCustomer | null,
): SessionClient | null =>
  customer && {
    socket: customer.socket,
    opened: () => network.send(relay, outside, () => customer.begin()),
    open: (plan) => all.open(plan, scheduler.now),
    finish: (turn, outcome) => {
      network.send(relay, outside, () => {
        if (turn.outcome === 'pending') turn.outcome = outcome;
      });
    },
  };

/** Sends one call at its time, and notes what the customer sees of it. */
export const sendCall = (world: World, plan: CallPlan): CallTruth => {
  const { scheduler, network, outside, truth: all } = world;
  const truth = all.open(plan, scheduler.now);
  const relay = world.relays[plan.relay];
  const finish = (outcome: Outcome, detail: string): void => {
    if (truth.outcome !== 'pending') return;
    truth.outcome = outcome;
    world.note('customers', `${truth.requestId} ${outcome}: ${detail}`);
  };
  if (relay === undefined || !relay.host.isReady) {
    finish('failed', 'nobody listens');
    return truth;
  }
  const { machine } = relay.host;
  const customer = plan.session === undefined ? null : new SessionCustomer(world, machine, plan);
  network.send(outside, machine, () => {
    const reply = (outcome: Outcome, detail: string): void =>
      network.send(machine, outside, () => finish(outcome, detail));
    relay.current().serve(truth, reply, clientOf(world, machine, customer));
  });
  if (plan.leavesAfterMs !== null) {
    scheduler.after(plan.leavesAfterMs, () => {
      if (truth.outcome === 'pending') {
        truth.outcome = 'left';
        truth.leftAt = scheduler.now;
      }
      customer?.leave();
    });
  }
  return truth;
};
