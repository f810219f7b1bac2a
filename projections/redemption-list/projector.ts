import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import { projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { blockOf } from '../shared/blocks.ts';
import { secondsOf } from '../shared/time.ts';
import { type CodeNames, prepareNames } from './names.ts';
import { redemptionListTables } from './table.ts';

type Rows = Writers<typeof redemptionListTables>;

/** The sums by name, and the names of the batch. */
const nameCounts = (rows: Rows, names: CodeNames, id: number) => {
  const count = (name: string, by: 1 | -1): void =>
    rows.names.accumulate({ name, block: blockOf(id), count: by });
  return {
    add: (name: string): void => {
      count(name, 1);
      names.set(id, name);
    },
    take: (name: string): void => count(name, -1),
  };
};

/** Answers: which codes exist, and who used each one? */
export const redemptionListProjector = projector<RedemptionEvent>()({
  name: 'redemption-list',
  version: 1,
  tables: redemptionListTables,
  prepare: prepareNames,
  on: {
    RedemptionCreated: (rows, recorded, names) => {
      const { redemptionId, name, quota, sealedCode, createdBy } = recorded.event.data;
      nameCounts(rows, names, redemptionId).add(name);
      rows.blocks.accumulate({ block: blockOf(redemptionId), count: 1 });
      rows.codes.put({
        id: redemptionId,
        user_id: createdBy,
        sealed_key: sealedCode,
        status: 1,
        name,
        quota,
        created_time: secondsOf(recorded),
        redeemed_time: 0,
        used_user_id: 0,
      });
    },
    RedemptionChanged: (rows, { event: { data } }, names) => {
      const { redemptionId: id, name, quota, previous } = data;
      const { add, take } = nameCounts(rows, names, id);
      take(previous.name);
      add(name);
      rows.codes.patch(id, { name, quota });
    },
    RedemptionEnabled: ({ codes }, { event: { data } }) =>
      codes.patch(data.redemptionId, { status: 1 }),
    RedemptionDisabled: ({ codes }, { event: { data } }) =>
      codes.patch(data.redemptionId, { status: 2 }),
    RedemptionRedeemed: ({ codes }, recorded) =>
      codes.patch(recorded.event.data.redemptionId, {
        status: 3,
        redeemed_time: secondsOf(recorded),
        used_user_id: recorded.event.data.redeemedBy,
      }),
    RedemptionDeleted: (rows, { event: { data } }, names) => {
      const { redemptionId: id } = data;
      nameCounts(rows, names, id).take(names.get(id) ?? '');
      rows.blocks.accumulate({ block: blockOf(id), count: -1 });
      rows.codes.remove(id);
    },
  },
});
