/*
 * A crowd of slow clients, in a separate process so that the one which measures is not one of them.
 * Sends `{ kind: 'ready', open }` when all are connected, `{ kind: 'uploads', … }` when the uploads
 * have been answered; `stop` ends it.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

type Plan = Readonly<{
  port: number;
  /** Of each kind of half-open connection. */
  ofEachKind: number;
  uploads: number;
  uploadBytes: number;
}>;

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;
const sockets: Socket[] = [];

/** What each kind sends before it falls silent; `null` for bytes that trickle. */
const kinds: readonly Readonly<{ opening: string; trickle: string }>[] = [
  { opening: '', trickle: '' },
  { opening: 'GET /api/status HTTP/1.1\r\nHost: x\r\nX-A: ', trickle: 'a' },
  { opening: 'GET /v1/models HTTP/1.1\r\nHost: x\r\n', trickle: '' },
  {
    opening:
      'POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n{"username":"',
    trickle: 'b',
  },
  {
    opening:
      'POST /api/user/register HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"use',
    trickle: '',
  },
  {
    opening:
      'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk-none\r\nContent-Length: 5000\r\n\r\n{',
    trickle: 'c',
  },
];

/** Eight addresses, so that the limit of one address is not what is tried here. */
const addressOf = (nth: number): string => `127.0.0.${2 + (nth % 8)}`;

const openOne = async (nth: number): Promise<void> => {
  const kind = kinds[nth % kinds.length];
  if (kind === undefined) return;
  const { opening, trickle } = kind;
  const socket = connect({ port: plan.port, host: '127.0.0.1', localAddress: addressOf(nth) });
  sockets.push(socket);
  socket.on('error', () => socket.destroy());
  socket.on('data', () => undefined);
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve());
    socket.once('close', () => resolve());
  });
  socket.write(opening);
  if (trickle === '') return;
  const timer = setInterval(() => socket.writable && socket.write(trickle), 3_000);
  socket.once('close', () => clearInterval(timer));
};

const openAll = async (): Promise<void> => {
  const count = plan.ofEachKind * kinds.length;
  for (let from = 0; from < count; from += 100) {
    const some = Array.from({ length: Math.min(100, count - from) }, (_, nth) => from + nth);
    await Promise.all(some.map(openOne));
  }
};

/** Writes everything before it reads; answers the status, or the code of the error. */
const upload = (path: string): Promise<string> =>
  new Promise((resolve) => {
    const piece = Buffer.alloc(64 * 1024, 'a');
    const call = request({
      port: plan.port,
      host: '127.0.0.1',
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': plan.uploadBytes },
    });
    let answered = '';
    call.on('response', (answer) => {
      answered = String(answer.statusCode);
      answer.resume();
    });
    call.on('error', (error) => {
      answered ||= String((error as { code?: string }).code);
    });
    const closed = once(call, 'close');
    call.on('close', () => resolve(answered));
    const send = async (): Promise<void> => {
      for (let sent = 0; sent < plan.uploadBytes && !call.destroyed; sent += piece.length) {
        const rest = piece.subarray(0, Math.min(piece.length, plan.uploadBytes - sent));
        if (call.write(rest)) continue;
        await Promise.race([once(call, 'drain'), closed]);
      }
      call.end();
    };
    void send();
  });

const uploadPaths = ['/pg/chat/completions', '/v1/chat/completions', '/api/user/login'];

const main = async (): Promise<void> => {
  await openAll();
  process.send?.({ kind: 'ready', open: sockets.filter((socket) => !socket.destroyed).length });
  const uploads = Array.from({ length: plan.uploads }, (_, nth) =>
    upload(uploadPaths[nth % uploadPaths.length] ?? ''),
  );
  process.send?.({ kind: 'uploads', answers: await Promise.all(uploads) });
};

process.on('message', (message) => {
  if (message !== 'stop') return;
  for (const socket of sockets) socket.destroy();
  process.exit(0);
});
process.on('disconnect', () => process.exit(0));
await main();
await pause(2 ** 31 - 1);
