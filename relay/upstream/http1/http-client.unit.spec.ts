import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import {
  localhostCertificate,
  localhostKey,
} from '../../../tests/support/localhost-certificate.ts';
import { UpstreamCall, type UpstreamListener } from '../call.ts';
import { ReadingTurns } from '../reading-turns.ts';
import type { UpstreamFailure, UpstreamRequest } from '../types.ts';
import { HttpClient, type HttpTimes } from './http-client.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

const patient: HttpTimes = { connectMs: 10_000, headMs: 10_000, idleMs: 10_000 };
const clientWith = (times: Partial<HttpTimes> = {}, ca?: string): HttpClient => {
  const client = new HttpClient({ ...patient, ...times }, ca === undefined ? {} : { ca });
  closers.push(() => client.close());
  return client;
};

type Peer = Readonly<{
  origin: string;
  /** In the order of arrival. */
  sockets: Socket[];
  /** All requests so far. */
  asked: () => string;
}>;

/** A provider that is nothing but a socket: `hear` is called with each piece of what is sent. */
const startPeer = async (
  hear: (socket: Socket, text: string, nth: number) => void,
  server: Server = createServer(),
): Promise<Peer> => {
  const sockets: Socket[] = [];
  let asked = '';
  let count = 0;
  const isSecure = 'setSecureContext' in server;
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      asked += bytes.toString('latin1');
      count += 1;
      hear(socket, bytes.toString('latin1'), count);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    origin: isSecure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    sockets,
    asked: () => asked,
  };
};

type Answer = { status: number; text: string; pieces: number; failure: UpstreamFailure | null };
type Asked = Readonly<{ call: UpstreamCall; answer: Answer; over: Promise<Answer> }>;
type CallOptions = Readonly<{
  request?: Partial<UpstreamRequest>;
  onData?: (chunk: Buffer) => boolean;
}>;

const ask = (client: HttpClient, origin: string, { request, onData }: CallOptions = {}): Asked => {
  const answer: Answer = { status: 0, text: '', pieces: 0, failure: null };
  let resolve: (answer: Answer) => void = () => {};
  const over = new Promise<Answer>((settle) => {
    resolve = settle;
  });
  const listener: UpstreamListener = {
    onHead: (status) => {
      answer.status = status;
    },
    onData: (chunk) => {
      answer.text += chunk.toString('latin1');
      answer.pieces += 1;
      return onData?.(chunk) ?? true;
    },
    onEnd: () => resolve(answer),
    onFailure: (failure) => {
      answer.failure = failure;
      resolve(answer);
    },
  };
  const call = new UpstreamCall(listener, new ReadingTurns());
  const plain = { path: '/', headers: [], body: Buffer.from('hello'), proxy: '' };
  const named = { upstreamModel: 'm', addedUsage: false };
  client.send({ origin, ...plain, ...named, ...request }, call, 1);
  return { call, answer, over };
};

const saying = (text: string, ...lines: string[]): string =>
  ['HTTP/1.1 200 OK', `content-length: ${text.length}`, ...lines, '', text].join('\r\n');
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('connections', () => {
  test('are used again, one request at a time', async () => {
    const peer = await startPeer((socket, _text, nth) => socket.write(saying(`answer ${nth}`)));
    const client = clientWith();
    for (const nth of [1, 2, 3]) {
      expect(await ask(client, peer.origin).over).toMatchObject({ text: `answer ${nth}` });
    }
    expect(peer.sockets).toHaveLength(1);
    await Promise.all([ask(client, peer.origin).over, ask(client, peer.origin).over]);
    expect(peer.sockets).toHaveLength(2);
    expect(peer.asked().match(/content-length: 5\r\n\r\nhello/g)).toHaveLength(5);
  });

  test.each([
    ['the provider closes them', saying('x', 'connection: close')],
    ['they are kept for no time worth the risk', saying('x', 'keep-alive: timeout=2')],
    ['more came than was asked for', `${saying('x')}HTTP/1.1 200 OK`],
    ['the body ended with them', 'HTTP/1.1 200 OK\r\n\r\nx'],
  ])('are not used again when %s', async (name, answer) => {
    const peer = await startPeer((socket) => {
      if (name.startsWith('the body')) socket.end(answer);
      else socket.write(answer);
    });
    const client = clientWith();
    for (const nth of [1, 2]) {
      expect(await ask(client, peer.origin).over).toMatchObject({ text: 'x', failure: null });
      expect(peer.sockets).toHaveLength(nth);
    }
  });

  test('that were closed meanwhile lose no request', async () => {
    const peer = await startPeer((socket) => socket.write(saying('x')));
    const client = clientWith();
    await ask(client, peer.origin).over;
    // Closed in the turn of the loop in which the next request is made: nothing was sent on it yet.
    peer.sockets[0]?.destroy();
    await until(() => peer.sockets[0]?.closed === true);
    expect(await ask(client, peer.origin).over).toMatchObject({ text: 'x', failure: null });
    expect(peer.sockets).toHaveLength(2);
  });

  test('that received bytes between two requests are not used', async () => {
    const peer = await startPeer((socket) => socket.write(saying('asked for')));
    const client = clientWith();
    await ask(client, peer.origin).over;
    await new Promise<void>((resolve) => {
      peer.sockets[0]?.write(saying('not asked for'), () => resolve());
    });
    expect((await ask(client, peer.origin).over).text).toBe('asked for');
    expect(peer.sockets).toHaveLength(2);
  });

  test('that are idle too long are closed', async () => {
    const peer = await startPeer((socket) => socket.write(saying('x', 'keep-alive: timeout=3')));
    const client = clientWith({ idleMs: 40 });
    await ask(client, peer.origin).over;
    await until(() => peer.sockets[0]?.closed === true);
  });

  test('to a closed port fail the call, so that another channel may answer', async () => {
    const peer = await startPeer(() => {});
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const address = gone.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => gone.close(resolve));
    const { failure } = await ask(clientWith(), `http://127.0.0.1:${port}`).over;
    expect(failure).toMatchObject({ kind: 'connect', retryable: true });
    expect(peer.sockets).toEqual([]);
  });

  test('over TLS are checked, and their sessions used again', async () => {
    const cert = localhostCertificate;
    const server = createSecureServer({ cert, key: localhostKey });
    const reused: boolean[] = [];
    server.on('secureConnection', (socket) => reused.push(socket.isSessionReused()));
    const peer = await startPeer(
      (socket, _text, nth) => socket.write(saying(`secret ${nth}`, 'connection: close')),
      server,
    );
    const { failure } = await ask(clientWith(), peer.origin).over;
    expect(failure?.kind).toBe('connect');
    const client = clientWith({}, cert);
    for (const nth of [1, 2]) {
      expect(await ask(client, peer.origin).over).toMatchObject({ text: `secret ${nth}` });
    }
    expect(reused).toEqual([false, true]);
  });

  test('end with the client, and their calls with them', async () => {
    const peer = await startPeer((socket) => socket.write(`${chunked}1\r\nx\r\n`));
    const client = clientWith();
    const asked = ask(client, peer.origin);
    await until(() => asked.answer.text === 'x');
    client.close();
    expect((await asked.over).failure).not.toBeNull();
    await until(() => peer.sockets[0]?.closed === true);
  });
});

describe('an answer', () => {
  test.each([
    ['in one piece', [saying('the body')]],
    ['byte by byte', [...saying('the body')]],
    ['in chunks, byte by byte', [...`${chunked}4;x=y\r\nthe \r\n4\r\nbody\r\n0\r\nt: u\r\n\r\n`]],
    [
      'behind words about what is to come',
      [`HTTP/1.1 103 Early\r\na: b\r\n\r\n`, saying('the body')],
    ],
  ])('that arrives %s is the same', async (_name, pieces) => {
    const peer = await startPeer(async (socket) => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const client = clientWith();
    for (const _ of [1, 2]) {
      const answer = await ask(client, peer.origin).over;
      expect(answer).toMatchObject({ status: 200, text: 'the body', failure: null });
    }
    expect(peer.sockets).toHaveLength(1);
  });

  test('may end with its connection, if nothing else marks its end', async () => {
    const peer = await startPeer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    expect(await ask(clientWith(), peer.origin).over).toMatchObject({ text: 'all of it' });
  });

  test.each([
    ['before its head', ''],
    ['within its head', 'HTTP/1.1 200 OK\r\ncont'],
    ['within its length', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'],
    ['within its chunks', `${chunked}9\r\nhalf`],
    ['without its last chunk', `${chunked}4\r\nhalf\r\n`],
  ])('that ends %s is a failure', async (_name, text) => {
    const peer = await startPeer((socket) => socket.end(text));
    const { failure } = await ask(clientWith(), peer.origin).over;
    expect(failure?.kind).toBe('connect');
  });

  test.each([
    ['is no HTTP', 'hello, what do you want of me?\r\n\r\n'],
    ['speaks another protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
    ['marks off its end twice', `${saying('x', 'transfer-encoding: chunked')}`],
    ['has a head without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`],
    ['has chunks that cannot be read', `${chunked}zz\r\n`],
  ])('that %s is a failure, and its connection ends', async (_name, text) => {
    const peer = await startPeer((socket) => socket.write(text));
    const { failure } = await ask(clientWith(), peer.origin).over;
    expect(failure?.kind).toBe('connect');
    await until(() => peer.sockets[0]?.closed === true);
  });

  test('waits for those who are slow, however much there is of it', async () => {
    const size = 30_000_000;
    let written = 0;
    const peer = await startPeer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
      const more = (): void => {
        while (written < size && !socket.destroyed) {
          written += 100_000;
          if (!socket.write(Buffer.alloc(100_000, 'x'))) return;
        }
      };
      socket.on('drain', more);
      more();
    });
    let taken = 0;
    let isSlow = true;
    const { call, over } = ask(clientWith({ idleMs: 50 }), peer.origin, {
      onData: (chunk) => {
        taken += chunk.length;
        return !isSlow;
      },
    });
    await until(() => taken > 0);
    // Longer than silence is allowed, which this is not: the provider is not who is waited for.
    await pause(200);
    const before = taken;
    expect(before).toBeLessThan(size / 10);
    expect(written).toBeLessThan(size);
    await pause(50);
    expect(taken).toBe(before);
    isSlow = false;
    call.resume();
    expect((await over).failure).toBeNull();
    expect(taken).toBe(size);
  });

  test.each([
    ['its head', 'headMs', ''],
    ['the rest of its head', 'headMs', 'HTTP/1.1 200 OK\r\n'],
    ['its first bytes', 'idleMs', chunked],
    ['its next bytes', 'idleMs', `${chunked}1\r\nx\r\n`],
  ] as const)('that is silent before %s takes too long', async (_name, time, text) => {
    const peer = await startPeer((socket) => socket.write(text));
    const { failure } = await ask(clientWith({ [time]: 60 }), peer.origin).over;
    expect(failure).toMatchObject({ kind: 'timeout', retryable: false });
  });

  test('that keeps arriving is not idle', async () => {
    const peer = await startPeer((socket) => {
      socket.write(chunked);
      let left = 12;
      const drip = setInterval(() => {
        left -= 1;
        socket.write(left > 0 ? '1\r\nx\r\n' : '0\r\n\r\n');
        if (left === 0) clearInterval(drip);
      }, 50);
    });
    const answer = await ask(clientWith({ idleMs: 400 }), peer.origin).over;
    expect(answer).toMatchObject({ text: 'x'.repeat(11), failure: null });
  });

  test('that was broken off emits nothing more, and its connection ends', async () => {
    const peer = await startPeer((socket) => socket.write(`${chunked}1\r\nx\r\n`));
    const client = clientWith();
    const { call, answer } = ask(client, peer.origin, {
      onData: () => {
        call.abort();
        return true;
      },
    });
    await until(() => peer.sockets[0]?.closed === true);
    expect(answer).toMatchObject({ text: 'x', failure: null });
    const early = ask(client, peer.origin);
    early.call.abort();
    await until(() => peer.sockets.every((socket) => socket.closed));
    expect(early.answer).toMatchObject({ status: 0, failure: null });
  });
});

describe('a request', () => {
  test('goes out whole, however long it is', async () => {
    let received = 0;
    const body = Buffer.alloc(3_000_000, 'y');
    const peer = await startPeer((socket, text) => {
      received += text.length;
      if (received > body.length) socket.write(saying('taken'));
    });
    expect(await ask(clientWith(), peer.origin, { request: { body } }).over).toMatchObject({
      text: 'taken',
    });
    expect(peer.asked().split('\r\n\r\n')[1]?.length).toBe(body.length);
  });

  test('that was answered before it was all sent takes its connection with it', async () => {
    const peer = await startPeer((socket) => {
      socket.pause();
      socket.write(saying('too long'));
    });
    const client = clientWith();
    const body = Buffer.alloc(30_000_000, 'y');
    const first = await ask(client, peer.origin, { request: { body } }).over;
    expect(first).toMatchObject({ text: 'too long', failure: null });
    expect(await ask(client, peer.origin).over).toMatchObject({ text: 'too long' });
    expect(peer.sockets).toHaveLength(2);
  });

  test('that cannot be sent as it is fails at once', async () => {
    const peer = await startPeer(() => {});
    const bad = (request: Partial<UpstreamRequest>) => () =>
      ask(clientWith(), request.origin ?? peer.origin, { request });
    expect(bad({ headers: ['x', 'a\r\nb'] })).toThrow(/cannot be sent/);
    expect(bad({ origin: 'ftp://127.0.0.1' })).toThrow(/neither http nor https/);
    expect(peer.sockets).toEqual([]);
  });
});
