import { isKeptByRequest } from '../kept-responses/asked-to-keep.ts';
import { ResponseWatch } from '../kept-responses/response-watch.ts';
import type { Reply, ReplyHost } from './reply.ts';

/** Records which channel made a response, for the calls that continue it. */
export const watchedReply = (host: ReplyHost, inner: Reply): Reply => {
  const { call } = host.admitted;
  if (call.operation !== 'responses' || !isKeptByRequest(call)) return inner;
  const watch = new ResponseWatch((id) => host.noteResponse(id));
  return {
    onData: (chunk) => {
      watch.read(chunk);
      return inner.onData(chunk);
    },
    onEnd: () => inner.onEnd(),
    onBroken: (failure) => inner.onBroken(failure),
    onDrained: () => inner.onDrained(),
    ...(inner.ping === undefined ? {} : { ping: () => inner.ping?.() ?? null }),
    ...(inner.onUnfunded === undefined ? {} : { onUnfunded: () => inner.onUnfunded?.() }),
  };
};
