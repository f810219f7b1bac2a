/*
 * The yardstick: node:http in, undici `Pool.dispatch` out, bytes piped, no feature. A process of its
 * own, and plain JavaScript: a loader for TypeScript would make it slower. One port for each of the two providers.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const serve = async (upstream) => {
  const pool = new Pool(upstream, { connections: 256 });
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
  await new Promise((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => resolve(undefined));
  });
  const address = server.address();
  return typeof address === 'object' ? address?.port : 0;
};

const { BENCH_UPSTREAM = '', BENCH_TLS_UPSTREAM = '' } = process.env;
process.send?.({ port: await serve(BENCH_UPSTREAM), tlsPort: await serve(BENCH_TLS_UPSTREAM) });
process.on('disconnect', () => process.exit(0));
