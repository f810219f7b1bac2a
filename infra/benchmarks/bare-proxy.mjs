/*
 * The yardstick: node:http in, undici `Pool.dispatch` out, bytes piped, no feature. Own process, and
 * plain JavaScript: what translates TypeScript on the way in would make it slower than it is.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const connections = Number(process.env.BENCH_CONNECTIONS ?? 256);
const pool = new Pool(process.env.BENCH_UPSTREAM ?? '', { connections });

const server = createServer((req, res) => {
  /** @type {Buffer[]} */
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => {
    pool.dispatch(
      {
        method: 'POST',
        path: req.url ?? '/',
        headers: {
          'content-type': 'application/json',
          authorization: 'Bearer sk-upstream',
        },
        body: Buffer.concat(parts),
      },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status, headers) => {
          const type = headers['content-type'];
          const length = headers['content-length'];
          res.writeHead(status, {
            'content-type': String(type),
            ...(length === undefined ? {} : { 'content-length': String(length) }),
          });
        },
        onResponseData: (controller, part) => {
          if (res.write(part)) return;
          controller.pause();
          res.once('drain', () => controller.resume());
        },
        onResponseEnd: () => {
          res.end();
        },
        onResponseError: () => {
          res.destroy();
        },
      },
    );
  });
});
server.keepAliveTimeout = 60_000;
server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('disconnect', () => process.exit(0));
