import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../web/body-budget.ts';
import { announcesBody } from '../web/unread-body.ts';

/** What most bodies of a console fit into, and every body of a caller who is not signed in. */
const startBytes = 64 * 1024;

/** The whole body of a request, or what there is of it when it turns out to be large. */
export type BodyStart =
  | Readonly<{ kind: 'whole'; body: Buffer | null }>
  | Readonly<{ kind: 'large'; pieces: readonly Buffer[] }>
  | Readonly<{ kind: 'no-room' }>
  | Readonly<{ kind: 'gone' }>;

/** Reads a request body until it is over or too large to be kept. `held` is called with what is kept. */
export const readStart = (
  req: IncomingMessage,
  budget: BodyBudget,
  held: { bytes: number },
): Promise<BodyStart> => {
  if (!announcesBody(req)) return Promise.resolve({ kind: 'whole', body: null });
  if (Number(req.headers['content-length'] ?? 0) > startBytes) {
    return Promise.resolve({ kind: 'large', pieces: [] });
  }
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const settle = (start: BodyStart): void => {
      req.off('data', onData).off('end', onEnd).off('close', onGone);
      resolve(start);
    };
    const onData = (piece: Buffer): void => {
      if (!budget.take(piece.length, held.bytes)) {
        req.pause();
        settle({ kind: 'no-room' });
        return;
      }
      held.bytes += piece.length;
      pieces.push(piece);
      if (held.bytes <= startBytes) return;
      req.pause();
      settle({ kind: 'large', pieces });
    };
    const onEnd = (): void => settle({ kind: 'whole', body: Buffer.concat(pieces) });
    const onGone = (): void => settle({ kind: 'gone' });
    req.on('data', onData).on('end', onEnd).on('close', onGone);
  });
};
