import type { UsageRecordSetAside } from '../../domain/account/dead-letter.ts';
import { projector } from '../runtime/projector.ts';
import { secondsOf } from '../shared/time.ts';
import { factsOf } from './record-facts.ts';
import { deadLettersTables } from './table.ts';

/** Of the text of an error. */
const maxReason = 500;

/** Answers: what was served and could not be settled, and why? */
export const deadLettersProjector = projector<UsageRecordSetAside>()({
  name: 'dead-letters',
  version: 1,
  tables: deadLettersTables,
  on: {
    UsageRecordSetAside: ({ records }, recorded) => {
      const { reason, record } = recorded.event.data;
      records.put({
        position: Number(recorded.position),
        event_id: recorded.eventId,
        at: secondsOf(recorded),
        reason: reason.slice(0, maxReason),
        ...factsOf(record),
      });
    },
  },
});
