import { BusUnavailableError } from '../../ports/bus.ts';
import type { Channel } from './channel.ts';

/** What travels on the channel. Messages of other kinds on the same channel are ignored. */
type Frame =
  | Readonly<{ bus: 'hello' }>
  | Readonly<{ bus: 'note'; method: string; body: unknown }>
  | Readonly<{ bus: 'call'; id: number; method: string; body: unknown }>
  | Readonly<{ bus: 'reply'; id: number; body: unknown }>
  | Readonly<{ bus: 'fault'; id: number; fault: Fault }>;

type Fault = Readonly<{ name: string; message: string; unavailable: string | null }>;
type Pending = Readonly<{
  subject: string;
  resolve: (body: unknown) => void;
  reject: (error: Error) => void;
}>;

/** Calls and notes in both directions over one channel. */
export type Peer = Readonly<{
  /** @throws BusUnavailableError when the connection breaks before the answer */
  call: (method: string, body: unknown) => Promise<unknown>;
  note: (method: string, body: unknown) => void;
  hello: () => void;
  /** Closes the channel and rejects what waits for an answer. */
  close: () => void;
}>;

export type PeerEvents = Readonly<{
  onCall: (method: string, body: unknown) => Promise<unknown>;
  onNote: (method: string, body: unknown) => void;
  onHello: () => void;
  onClose: () => void;
}>;

const isFrame = (message: unknown): message is Frame =>
  typeof message === 'object' && message !== null && 'bus' in message;

const toFault = (error: unknown): Fault => ({
  name: error instanceof Error ? error.name : 'Error',
  message: error instanceof Error ? error.message : String(error),
  unavailable: error instanceof BusUnavailableError ? error.subject : null,
});

const fromFault = ({ name, message, unavailable }: Fault): Error =>
  unavailable === null
    ? Object.assign(new Error(message), { name })
    : new BusUnavailableError(unavailable);

export const createPeer = (channel: Channel, events: PeerEvents): Peer => {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let closed = false;
  const send = (frame: Frame): void => channel.send(frame);

  const answer = async (frame: Extract<Frame, { bus: 'call' }>): Promise<void> => {
    try {
      const body = await events.onCall(frame.method, frame.body);
      if (!closed) send({ bus: 'reply', id: frame.id, body });
    } catch (error) {
      if (!closed) send({ bus: 'fault', id: frame.id, fault: toFault(error) });
    }
  };

  const settle = (id: number, finish: (waiting: Pending) => void): void => {
    const waiting = pending.get(id);
    if (waiting === undefined) return;
    pending.delete(id);
    finish(waiting);
  };

  const receive = (frame: Frame): void => {
    switch (frame.bus) {
      case 'hello':
        events.onHello();
        break;
      case 'note':
        events.onNote(frame.method, frame.body);
        break;
      case 'call':
        void answer(frame);
        break;
      case 'reply':
        settle(frame.id, ({ resolve }) => resolve(frame.body));
        break;
      case 'fault':
        settle(frame.id, ({ reject }) => reject(fromFault(frame.fault)));
        break;
    }
  };

  const stopListening = [
    channel.onMessage((message) => {
      if (isFrame(message)) receive(message);
    }),
    channel.onClose(() => {
      close();
      events.onClose();
    }),
  ];

  const close = (): void => {
    if (closed) return;
    closed = true;
    for (const stop of stopListening) stop();
    for (const { reject, subject } of pending.values()) reject(new BusUnavailableError(subject));
    pending.clear();
  };

  return {
    call: (method, body) => {
      if (closed) return Promise.reject(new BusUnavailableError(method));
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { subject: method, resolve, reject });
        send({ bus: 'call', id, method, body });
      });
    },
    note: (method, body) => {
      if (!closed) send({ bus: 'note', method, body });
    },
    hello: () => send({ bus: 'hello' }),
    close,
  };
};
