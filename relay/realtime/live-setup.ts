import type { RawData, WebSocket } from 'ws';
import type { SocketRefusal } from '../upstream/socket.ts';
import { bytesOf, eventOf, type Fields, type Frame, isFields, textAt } from './frames.ts';

/** Google's servers take both spellings of a member (protobuf's JSON form). */
export const memberOf = (owner: unknown, camel: string, snake: string): unknown =>
  isFields(owner) ? (owner[camel] ?? owner[snake]) : undefined;

export type Setup = Readonly<{ model: string; setup: Fields }>;

/** The first message of a session, which names its model; null: it is none. */
export const setupOf = (frame: Buffer): Setup | null => {
  const setup = eventOf(frame)?.setup;
  if (!isFields(setup)) return null;
  const model = textAt(setup, 'model').replace(/^models\//, '');
  return model === '' ? null : { model, setup };
};

/** The same for the model that the channel has, and with the provider's own handle. */
export const setupFor = (
  { setup }: Setup,
  upstreamModel: string,
  handle: string | null,
): string => {
  const resumption = memberOf(setup, 'sessionResumption', 'session_resumption');
  const { session_resumption: _, ...rest } = setup;
  const resumed = isFields(resumption) && handle !== null ? { ...resumption, handle } : resumption;
  return JSON.stringify({
    setup: {
      ...rest,
      model: `models/${upstreamModel}`,
      ...(resumed === undefined ? {} : { sessionResumption: resumed }),
    },
  });
};

const invalidArgument = 1007;
const policyViolation = 1008;
const maxFramesBefore = 16;

/** Google refuses a session by its close code; over HTTP it would have used this status. */
const statusOf = (code: number, reason: string): number => {
  if (/quota|rate limit|exhausted/i.test(reason)) return 429;
  if (code === invalidArgument) return 400;
  if (code !== policyViolation) return 503;
  return /not found/i.test(reason) ? 404 : 403;
};

const refusalOf = (code: number, reason: string): SocketRefusal => {
  const status = statusOf(code, reason);
  const message = reason === '' ? `The provider closed the session (${code})` : reason;
  const body = Buffer.from(JSON.stringify({ error: { code: status, message } }));
  return { kind: 'status', status, body, retryAfterSeconds: null };
};

/** Frames that arrive between the setup and the session, which processes them. */
class EarlyFrames {
  private readonly frames: Frame[] = [];
  private readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', this.onMessage);
  }

  get count(): number {
    return this.frames.length;
  }

  private readonly onMessage = (data: RawData, isBinary: boolean): void => {
    this.frames.push({ bytes: bytesOf(data), isBinary });
  };

  readonly take = (): readonly Frame[] => {
    this.socket.off('message', this.onMessage);
    return this.frames;
  };
}

type Taken = Readonly<{ received: () => readonly Frame[] }>;

/** Sends the setup and waits until the provider has taken it; the socket is paused again then. */
export const takeSetup = (
  socket: WebSocket,
  setup: string,
  timeoutMs: number,
): Promise<Taken | SocketRefusal> =>
  new Promise((resolve) => {
    const early = new EarlyFrames(socket);
    const end = (result: Taken | SocketRefusal): void => {
      clearTimeout(timer);
      socket.off('close', onClose);
      socket.off('message', onMessage);
      if ('kind' in result) socket.terminate();
      else socket.pause();
      resolve(result);
    };
    const onClose = (code: number, reason: Buffer): void => end(refusalOf(code, reason.toString()));
    const onMessage = (data: RawData): void => {
      const complete = memberOf(eventOf(bytesOf(data)), 'setupComplete', 'setup_complete');
      if (complete !== undefined || early.count >= maxFramesBefore) end({ received: early.take });
    };
    const timer = setTimeout(
      () => end({ kind: 'timeout', error: new Error('no answer to the setup') }),
      timeoutMs,
    );
    socket.on('message', onMessage);
    socket.on('close', onClose);
    socket.send(setup);
    socket.resume();
  });
