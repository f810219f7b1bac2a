import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The conventional ids of `nobody`: a local user without files. */
const nobody = { uid: 65_534, gid: 65_534 } as const;

/** Only root can start a process as another user. */
export const canBecomeOther = process.getuid?.() === 0;

/**
 * Runs a script of Node's own modules as another user of this machine; `input` is its global of
 * that name. Answers what the script writes to standard output, as JSON.
 */
const asOtherUser = async <T>(script: string, input: unknown): Promise<T> => {
  const text = `const input = ${JSON.stringify(input)};\n${script}`;
  const { stdout } = await run(process.execPath, ['-e', text], {
    ...nobody,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    timeout: 60_000,
  });
  return JSON.parse(stdout) as T;
};

/** Result of opening each path for reading: `opened`, or the code of the refusal. */
export const readingAsOther = (paths: readonly string[]): Promise<Record<string, string>> =>
  asOtherUser(
    `const { openSync, closeSync, statSync, readdirSync } = require('node:fs');
    const result = {};
    for (const path of input) {
      try {
        if (statSync(path).isDirectory()) readdirSync(path);
        else closeSync(openSync(path, 'r'));
        result[path] = 'opened';
      } catch (error) { result[path] = error.code; }
    }
    process.stdout.write(JSON.stringify(result));`,
    paths,
  );

/** Result of connecting to each address: `connected`, or the code of the refusal. */
export const connectingAsOther = (paths: readonly string[]): Promise<Record<string, string>> =>
  asOtherUser(
    `const { connect } = require('node:net');
    const attempt = (path) => new Promise((resolve) => {
      const socket = connect(path);
      socket.once('connect', () => { socket.destroy(); resolve([path, 'connected']); });
      socket.once('error', (error) => resolve([path, error.code]));
    });
    Promise.all(input.map(attempt)).then((all) =>
      process.stdout.write(JSON.stringify(Object.fromEntries(all))));`,
    paths,
  );

/** Which of the ports on 127.0.0.1 answer a call of EventStoreDB's protocol (Gossip/Read). */
export const eventStorePortsAsOther = (ports: readonly number[]): Promise<readonly number[]> =>
  asOtherUser(
    `const { connect } = require('node:http2');
    const attempt = (port) => new Promise((resolve) => {
      const session = connect('http://127.0.0.1:' + port);
      const end = (answers) => { session.destroy(); resolve(answers ? [port] : []); };
      setTimeout(() => end(false), 3000).unref();
      session.on('error', () => end(false));
      const call = session.request({
        ':method': 'POST',
        ':path': '/event_store.client.gossip.Gossip/Read',
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      call.on('error', () => end(false));
      call.on('response', (headers) => end(headers['content-type'] === 'application/grpc+proto'
        || headers['content-type'] === 'application/grpc'));
      call.end(Buffer.alloc(5));
    });
    Promise.all(input.map(attempt)).then((all) =>
      process.stdout.write(JSON.stringify(all.flat())));`,
    ports,
  );
