import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import { redemptionStreamId } from '../../domain/redemption/stream.ts';
import type { RedemptionId } from '../../domain/shared/ids.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';

type Deps = Readonly<{
  eventStore: EventStore;
}>;

/** Who made and who used a code, and when (Unix seconds; 0 for not yet). */
export const historyOf = async ({ eventStore }: Deps, redemptionId: RedemptionId) => {
  const history = { user_id: 0, created_time: 0, redeemed_time: 0, used_user_id: 0 };
  const stream = eventStore.readStream<RedemptionEvent>(redemptionStreamId(redemptionId));
  for await (const { event, metadata } of stream) {
    const seconds = Math.floor(Date.parse(metadata.occurredAt) / 1_000);
    if (event.type === 'RedemptionCreated') {
      history.user_id = event.data.createdBy;
      history.created_time = seconds;
    }
    if (event.type === 'RedemptionRedeemed') {
      history.used_user_id = event.data.redeemedBy;
      history.redeemed_time = seconds;
    }
  }
  return history;
};
