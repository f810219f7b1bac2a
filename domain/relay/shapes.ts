import { callShape } from '../account/shapes.ts';
import { text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes, withPersonal } from '../shared/shapes.ts';
import type { RelayEvent, RequestFailed } from './events.ts';

/** A failed call is described in the same terms as a charged one. */
export const relayShapes: Shapes<RelayEvent> = {
  RequestFailed: dataOf<RequestFailed>({
    userId: whole,
    call: callShape,
    statusCode: whole,
    errorType: text,
    errorCode: text,
    message: text,
    ...withPersonal,
  }),
};
