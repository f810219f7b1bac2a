import { call } from '../account/events.ts';
import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { userId } from '../shared/ids.ts';
import { withPersonal } from '../shared/personal.ts';
import { text, whole } from '../shared/shape.ts';

const unaudited = defineEvents('relay', null);

export const relayEvents = {
  /** A call ended without a charge; the error log. Streams `relay-<relayId>` are bounded by `$maxAge`. */
  RequestFailed: unaudited({
    userId,
    call,
    statusCode: whole,
    errorType: text,
    errorCode: text,
    message: text,
    ...withPersonal,
  }),
};

type Events = EventsOf<typeof relayEvents>;
export type RequestFailed = Events['RequestFailed'];
export type RelayEvent = RequestFailed;
