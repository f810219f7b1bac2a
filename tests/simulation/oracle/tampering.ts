import type { RequestCharged } from '../../../domain/account/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { Tampering } from '../history.ts';
import type { SimLog } from '../log/sim-log.ts';

type Charged = Recorded<RequestCharged>;

const isCharge = (recorded: Recorded): recorded is Charged =>
  recorded.event.type === 'RequestCharged';

const withData = (recorded: Charged, change: object): Recorded => ({
  ...recorded,
  event: { ...recorded.event, data: { ...recorded.event.data, ...change } },
});

const isLast = (log: SimLog, { streamId, revision }: Recorded): boolean =>
  log.read(streamId, { backwards: true, maxCount: 1 })[0]?.revision === revision;

/** Numbers them as they stand: who tampers well leaves no gap. */
const renumbered = (events: readonly Recorded[]): Recorded[] =>
  events.map((recorded, index) => ({ ...recorded, position: BigInt(index + 1) }));

/** Changes a log that is at rest. False where it holds nothing to change. */
export const tamper = (log: SimLog, what: Tampering): boolean => {
  const index = log.all.findIndex(
    (recorded) => isCharge(recorded) && isLast(log, recorded) === (what === 'remove-last-charge'),
  );
  const charge = log.all[index];
  if (charge === undefined || !isCharge(charge)) return false;
  const { amount, balanceAfter } = charge.event.data;
  log.tamper((events) => {
    switch (what) {
      case 'amount':
        events[index] = withData(charge, { amount: amount + 1 });
        return events;
      case 'balance':
        events[index] = withData(charge, { balanceAfter: balanceAfter + 1 });
        return events;
      case 'remove-charge':
      case 'remove-last-charge':
        events.splice(index, 1);
        return renumbered(events);
      case 'repeat-charge':
        events.splice(index + 1, 0, charge);
        return renumbered(events);
      case 'read-model':
        return events;
    }
  });
  return what !== 'read-model';
};
