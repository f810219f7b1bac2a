import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** One answer as received. */
export type RawAnswer = Readonly<{ status: number; head: string; body: string }>;

export type RawConnection = Readonly<{
  socket: Socket;
  write: (bytes: string) => void;
  /** Everything received so far, one character for each byte. */
  received: () => string;
  isClosed: () => boolean;
  closed: Promise<void>;
  /**
   * Waits until nothing arrives for a moment, or the server has closed, or `mostMs` have passed.
   */
  settled: (mostMs?: number) => Promise<void>;
  close: () => void;
}>;

type At = Readonly<{ port: number; localAddress?: string }>;

/** A connection that sends the bytes that it is given and nothing else. */
export const openRaw = async ({ port, localAddress }: At): Promise<RawConnection> => {
  const socket = connect({
    port,
    host: '127.0.0.1',
    // Each piece is sent at once, as a separate segment.
    noDelay: true,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  let received = '';
  let changedAt = performance.now();
  let isClosed = false;
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    changedAt = performance.now();
  });
  // A reset is an answer too.
  socket.on('error', () => socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  await Promise.race([
    new Promise<void>((resolve) => socket.once('connect', () => resolve())),
    closed,
  ]);
  return {
    socket,
    write: (bytes) => {
      if (socket.writable) socket.write(Buffer.from(bytes, 'latin1'));
    },
    received: () => received,
    isClosed: () => isClosed,
    closed,
    settled: async (mostMs = 400) => {
      const until = performance.now() + mostMs;
      while (!isClosed && performance.now() < until) {
        if (received !== '' && performance.now() - changedAt > 60) return;
        await pause(10);
      }
    },
    close: () => socket.destroy(),
  };
};

const dechunked = (text: string): Readonly<{ body: string; rest: string }> => {
  let body = '';
  let at = 0;
  for (;;) {
    const end = text.indexOf('\r\n', at);
    const size = end === -1 ? 0 : Number.parseInt(text.slice(at, end), 16);
    if (end === -1 || Number.isNaN(size)) return { body, rest: '' };
    if (size === 0) return { body, rest: text.slice(text.indexOf('\r\n\r\n', at) + 4) };
    body += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
};

/** The answers in what a connection received; interim ones are left out. `methods` of the requests. */
export const answersIn = (received: string, methods: readonly string[] = []): RawAnswer[] => {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (rest.startsWith('HTTP/1.')) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) break;
    const head = rest.slice(0, end);
    const status = Number(head.slice(9, 12));
    rest = rest.slice(end + 4);
    if (status < 200) continue;
    const isBodiless = methods[answers.length] === 'HEAD' || status === 204 || status === 304;
    const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
    if (isBodiless) answers.push({ status, head, body: '' });
    else if (/^transfer-encoding: *chunked/im.test(head)) {
      const { body, rest: after } = dechunked(rest);
      answers.push({ status, head, body });
      rest = after;
    } else {
      const bytes = length === undefined ? rest.length : Number(length);
      answers.push({ status, head, body: rest.slice(0, bytes) });
      rest = rest.slice(bytes);
    }
  }
  return answers;
};

/** Sends a request over a separate connection and returns the answer. */
export const askRaw = async (at: At, request: string, mostMs = 5_000): Promise<RawAnswer[]> => {
  const connection = await openRaw(at);
  connection.write(request);
  await Promise.race([connection.closed, pause(mostMs)]);
  connection.close();
  const [method = ''] = request.split(' ', 1);
  return answersIn(connection.received(), [method]);
};

/** GET of a path over a separate connection. */
export const getRaw = async (at: At, path: string, mostMs?: number): Promise<RawAnswer | null> => {
  const request = `GET ${path} HTTP/1.1\r\nHost: good\r\nConnection: close\r\n\r\n`;
  const [answer] = await askRaw(at, request, mostMs);
  return answer ?? null;
};
