import type { CallFacts } from '../account/events.ts';
import type { Event } from '../shared/event.ts';
import type { UserId } from '../shared/ids.ts';
import type { WithPersonal } from '../shared/personal.ts';

/** A call ended without a charge; the error log. Streams `relay-<relayId>` are bounded by `$maxAge`. */
export type RequestFailed = Event<
  'RequestFailed',
  {
    userId: UserId;
    call: CallFacts;
    statusCode: number;
    errorType: string;
    errorCode: string;
    message: string;
  } & WithPersonal
>;
export type RelayEvent = RequestFailed;
