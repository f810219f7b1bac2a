import type { CallPlan } from '../history.ts';
import type { CallTruth } from '../oracle/truth.ts';
import type { World } from '../world/world.ts';

/** Sends one call at its time, and notes what the customer sees of it. */
export const sendCall = (world: World, plan: CallPlan): CallTruth => {
  const { scheduler, network, outside, truth: all } = world;
  const truth = all.open(plan, scheduler.now);
  const relay = world.relays[plan.relay];
  const finish = (outcome: 'answered' | 'refused' | 'failed', detail: string): void => {
    if (truth.outcome !== 'pending') return;
    truth.outcome = outcome;
    world.note('customers', `${truth.requestId} ${outcome}: ${detail}`);
  };
  if (relay === undefined || !relay.host.isReady) {
    finish('failed', 'nobody listens');
    return truth;
  }
  const { machine } = relay.host;
  network.send(outside, machine, () => {
    relay.current().serve(truth, (outcome, detail) => {
      network.send(machine, outside, () => finish(outcome, detail));
    });
  });
  if (plan.leavesAfterMs !== null) {
    scheduler.after(plan.leavesAfterMs, () => {
      if (truth.outcome === 'pending') truth.outcome = 'left';
    });
  }
  return truth;
};
