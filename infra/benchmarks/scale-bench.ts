/*
 * `npm run bench scale [streams]`: a relay with 100,000 tokens and 1,000 channels, and one with
 * 10,000 idle streams. Bars: ready within 3 s and 300 MB; 600 MB with the streams. The relay runs
 * in a separate process; feeds reach it as the bus of a cluster would send them. Prints a table and
 * writes `bench-results/scale.json`.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { cpuMicros } from './cpu.ts';
import { writeResult } from './report.ts';
import { keyOf, openStreams, type Report, serveScale } from './scale-child.ts';

/** Each stream takes two connections of the relay; some systems give a process fewer. */
const openFiles = Number(
  /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 65_536,
);
const most = Math.floor((openFiles - 400) / 2);
const asked = Number(process.argv[2] ?? 10_000);
const wantedStreams = Math.min(Number.isNaN(asked) ? 10_000 : asked, most);
/** Streams of one moment: a burst of all at once would measure the burst. */
const atOnce = 100;

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', 4_096, () => resolve((server.address() as AddressInfo).port));
  });

const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' } }] })}\n\n`;

/** A provider that sends one word and then nothing. */
const startSilent = async () => {
  const open: ServerResponse[] = [];
  const server = createServer((req, res) => {
    req.resume();
    req.on('end', () => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(event);
      open.push(res);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => open.length,
    finish: () => {
      for (const res of open.splice(0)) res.end('data: [DONE]\n\n');
    },
    close: () => server.close(),
  };
};

const body = JSON.stringify({
  model: 'gpt-4o-mini',
  stream: true,
  max_tokens: 10,
  messages: [{ role: 'user', content: 'Hello' }],
});

/** One connection with one stream on it; resolves with its first word. */
const openOne = async (port: number, index: number): Promise<Client> => {
  const client = new Client(`http://127.0.0.1:${port}`, { bodyTimeout: 0, headersTimeout: 0 });
  const answer = await client.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer sk-${keyOf(index)}`, 'content-type': 'application/json' },
    body,
  });
  if (answer.statusCode !== 200) throw new Error(await answer.body.text());
  answer.body.on('error', () => {});
  await new Promise((resolve) => answer.body.once('data', resolve));
  return client;
};

const main = async (): Promise<void> => {
  const upstream = await startSilent();
  const child = fork(process.argv[1] ?? '', ['../benchmarks/scale-bench', 'child', upstream.url], {
    execArgv: ['--expose-gc', '--min-semi-space-size=32', '--max-semi-space-size=32'],
  });
  const reported = <T extends Report['kind']>(kind: T): Promise<Extract<Report, { kind: T }>> =>
    new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error('the relay is gone')));
      child.on('message', (report: Report) => {
        if (report.kind === kind) resolve(report as Extract<Report, { kind: T }>);
      });
    });
  const ready = await reported('ready');
  const clients: Client[] = [];
  const begun = performance.now();
  for (let at = 0; at < wantedStreams; at += atOnce) {
    const count = Math.min(atOnce, wantedStreams - at);
    const some = Array.from({ length: count }, (_none, own) => openOne(ready.port, at + own));
    clients.push(...(await Promise.all(some)));
  }
  const openedMs = Math.round(performance.now() - begun);
  const cpu = cpuMicros(child.pid ?? 0);
  const idleFrom = performance.now();
  const report = reported('memory');
  await sleep(10_000);
  const idleShare = (cpuMicros(child.pid ?? 0) - cpu) / 1_000 / (performance.now() - idleFrom);
  child.send(openStreams);
  const memory = await report;
  const rows = {
    tokens: ready.tokens,
    channels: ready.channels,
    readyMs: ready.readyMs,
    readyCpuMs: ready.cpuMs,
    readyMb: ready.rssMb,
    streams: upstream.count(),
    openedMs,
    streamsMb: memory.rssMb,
    kbPerStream: Math.round(((memory.rssMb - ready.rssMb) * 1_024) / upstream.count()),
    idleCpuPercent: Math.round(idleShare * 1_000) / 10,
  };
  console.table(rows);
  writeResult('scale', rows);
  child.removeAllListeners('exit');
  child.kill();
  await Promise.all(clients.map((client) => client.destroy()));
  upstream.finish();
  upstream.close();
  // By CPU: what else runs on the machine stretches the time on the clock.
  const isGood = rows.readyCpuMs <= 3_000 && rows.readyMb <= 300 && rows.streamsMb <= 600;
  process.exitCode = isGood ? 0 : 1;
};

if (process.argv[2] === 'child') await serveScale(process.argv[3] ?? '');
else await main();
