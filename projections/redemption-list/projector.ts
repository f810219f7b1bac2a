import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import { projector } from '../runtime/projector.ts';
import { secondsOf } from '../shared/time.ts';
import { redemptionListTables } from './table.ts';

/** Answers: which codes exist, and who used each one? */
export const redemptionListProjector = projector<RedemptionEvent>()({
  name: 'redemption-list',
  version: 1,
  tables: redemptionListTables,
  on: {
    RedemptionCreated: ({ codes }, recorded) => {
      const { redemptionId, name, quota, sealedCode, createdBy } = recorded.event.data;
      codes.put({
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
    RedemptionChanged: ({ codes }, { event: { data } }) =>
      codes.patch(data.redemptionId, { name: data.name, quota: data.quota }),
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
    RedemptionDeleted: ({ codes }, { event: { data } }) => codes.remove(data.redemptionId),
  },
});
