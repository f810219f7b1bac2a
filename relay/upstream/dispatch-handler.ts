import type { Dispatcher } from 'undici';
import { AnswerHeaders } from './answer-headers.ts';
import type { UpstreamCall } from './call.ts';

/** undici passes header names and values in turn, as bytes. */
const readRawHeaders = ({ rawHeaders }: Dispatcher.DispatchController): AnswerHeaders =>
  AnswerHeaders.of(
    Array.isArray(rawHeaders)
      ? rawHeaders.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))
      : [],
  );

/** Reports to an upstream call what undici's `dispatch` receives through a proxy. */
export const createDispatchHandler = (call: UpstreamCall): Dispatcher.DispatchHandler => ({
  onRequestStart: (controller) =>
    call.onConnect((reason) => controller.abort(reason ?? new Error('aborted by the relay'))),
  onResponseStart: (controller, status) => {
    // 1xx responses precede the final one.
    if (status >= 200) {
      call.onHead(status, readRawHeaders(controller), () => controller.resume());
    }
  },
  onResponseData: (controller, chunk) => {
    if (!call.onData(chunk)) controller.pause();
  },
  onResponseEnd: () => call.onComplete(),
  onResponseError: (_controller, error) => call.onError(error),
});
