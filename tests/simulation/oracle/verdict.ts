import type { VerifyReport } from '../../../infra/ports/verify.ts';
import { verify } from '../../../infra/verify/verify.ts';
import { simulatedReadModels } from '../database/read-models.ts';
import { directStore } from '../log/direct-store.ts';
import { instantTimers } from '../world/instant-timers.ts';
import { epochMs } from '../world/machine.ts';
import type { World } from '../world/world.ts';

/** Past every grace that verify gives to processes and to relays that may be running. */
const laterMs = 3_600_000;

/** The report of the product's own verify about the log. */
export const verdictOn = (world: World): Promise<VerifyReport> =>
  verify({
    eventStore: directStore(world.log.log),
    readModels: world.store === null ? null : simulatedReadModels(world.store.database),
    patienceMs: 0,
    timers: instantTimers,
    clock: () => new Date(epochMs + world.scheduler.now + laterMs),
    aliveRelays: new Set(world.relays.map(({ current }) => current().relayId)),
  });
