import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Logger } from '../../infra/ports/logger.ts';
import {
  aChannel,
  type Harness,
  type Reply,
  startHarness,
} from '../support/relay/relay-harness.ts';
import {
  answered,
  ask,
  bodyOf,
  type Caller,
  type Dialect,
  dialects,
  type HostileUpstream,
  head,
  pour,
  type ReportedTokens,
  type Script,
  startHostile,
} from './hostile-dialects.ts';

const mib = 1_048_576;
const idleMs = 250;
const limit = 10;
const bomb = gzipSync(Buffer.alloc(100 * mib), { level: 1 });

let relay: Harness;
let upstream: HostileUpstream;
let warned: object[];

const recording = (): Logger => {
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn: (fields) => warned.push(fields),
    error: (fields, message) => {
      throw new Error(`${message}: ${JSON.stringify(fields)}`);
    },
    child: () => logger,
  };
  return logger;
};

const open = async (maxAnswerMs: number): Promise<void> => {
  relay = await startHarness(
    {
      streamIdleTimeoutMs: idleMs,
      headersTimeoutMs: idleMs,
      maxAnswerMs,
      maxAnswerBytes: 56 * mib,
      tickMs: 20,
    },
    { logger: recording() },
  );
};

beforeEach(async () => {
  warned = [];
  await open(20_000);
  upstream = await startHostile();
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const cases = dialects.flatMap(([name, caller, dialect]) =>
  [false, true].map(
    (isStream) =>
      [
        `${name}, ${isStream ? 'streamed' : 'in one piece'}`,
        { caller, dialect, isStream },
      ] as const,
  ),
);
type Case = Readonly<{ caller: Caller; dialect: Dialect; isStream: boolean }>;

const play = async ({ caller, dialect, isStream }: Case, script: Script): Promise<Reply> => {
  await relay.put.channel(aChannel(1, { type: dialect.channelType, baseUrl: upstream.url }));
  upstream.play(script);
  const reply = await ask(relay, caller, { isStream, limit });
  await relay.journal.outcome(0);
  return reply;
};

/** Whatever the upstream did: one outcome, quota back, no other account credited, and the next call served. */
const stillServes = async ({ caller, dialect, isStream }: Case): Promise<void> => {
  upstream.play((socket) =>
    socket.write(answered(isStream, bodyOf(dialect, isStream, { tokens: [5, 3] }))),
  );
  const reply = await ask(relay, caller, { isStream, limit });
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('Hi there');
  const next = await relay.journal.used(1);
  expect(next.usage).toMatchObject({ promptTokens: 5, completionTokens: 3 });
  expect(relay.journal.outcomes).toHaveLength(2);
  expect(relay.leases.open).toBe(0);
  for (const { amount } of relay.leases.settled) expect(amount).toBeGreaterThanOrEqual(0);
};

const failedWith = async (reply: Reply, ...statuses: readonly number[]): Promise<void> => {
  expect(statuses).toContain(reply.status);
  expect((await relay.journal.failed()).statusCode).toBe(reply.status);
  expect(relay.leases.settled[0]?.amount).toBe(0);
};

describe.each(cases)('%s', (_name, own) => {
  const { dialect, isStream } = own;
  const saying =
    (tokens: ReportedTokens): Script =>
    (socket) =>
      socket.write(answered(isStream, bodyOf(dialect, isStream, { tokens })));

  test('usage that is missing or nonsense is counted', async () => {
    const tokens: readonly ReportedTokens[] = [null, [-5, -7], ['lots', { a: 1 }], [null, null]];
    await relay.put.channel(aChannel(1, { type: dialect.channelType, baseUrl: upstream.url }));
    for (const [at, own_] of tokens.entries()) {
      upstream.play(saying(own_));
      const reply = await ask(relay, own.caller, { isStream, limit });
      expect(reply.status).toBe(200);
      const used = await relay.journal.used(at);
      expect(used).toMatchObject({ usageSource: 'counted', end: 'complete' });
      expect(used.usage.completionTokens).toBe(2);
      expect(used.usage.promptTokens).toBeGreaterThan(0);
    }
  });

  test('usage that is absurd is cut to what the call can have used', async () => {
    await play(own, saying([1e300, 1e18]));
    const { usage, usageNote } = await relay.journal.used();
    expect(usage.promptTokens).toBeLessThan(200_000);
    expect(usage.completionTokens).toBeLessThan(70_000);
    expect(usageNote).not.toBeNull();
    await stillServes(own);
  });

  test('usage in fractions is rounded down', async () => {
    await play(own, saying([10.7, 3.2]));
    const { usage } = await relay.journal.used();
    expect(usage).toMatchObject({ promptTokens: 10, completionTokens: 3 });
    await stillServes(own);
  });

  test('an error in a 200 is an error that costs nothing', async () => {
    const reply = await play(own, (socket) => socket.write(answered(false, dialect.error)));
    await failedWith(reply, 500, 502);
    expect(reply.text).toContain('no such luck');
    await stillServes(own);
  });

  test('an error as the first event is an error that costs nothing', async () => {
    const reply = await play(own, (socket) =>
      socket.write(answered(true, `data: ${dialect.error}\n\n`)),
    );
    await failedWith(reply, 500, 502);
    await stillServes(own);
  });

  test('a connection that breaks before the answer is an error', async () => {
    const reply = await play(own, (socket) => socket.resetAndDestroy());
    await failedWith(reply, 500, 502);
    expect(warned.length).toBeGreaterThan(0);
    await stillServes(own);
  });

  test('a connection that breaks in the middle is reported, and paid by what was received', async () => {
    const body = dialect.begin + dialect.piece('Hi there');
    const reply = await play(own, (socket) => {
      const bytes = isStream ? body : dialect.whole('Hi there', [5, 3]).slice(0, 60);
      socket.write(head(isStream, `content-length: 9999\r\n\r\n${bytes}`));
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    if (isStream) {
      expect(reply.text).toContain('Hi there');
      expect(reply.text).toContain('error');
      const used = await relay.journal.used();
      expect(used).toMatchObject({ end: 'upstream-broken', usage: { completionTokens: 2 } });
    } else await failedWith(reply, 500, 502);
    expect(warned.length).toBeGreaterThan(0);
    await stillServes(own);
  });

  test('silence before the head, and silence behind it, end with a 504', async () => {
    await failedWith(await play(own, () => {}), 504);
    upstream.play((socket) => socket.write(head(isStream, '\r\n')));
    const reply = await ask(relay, own.caller, { isStream, limit });
    expect(reply.status).toBe(504);
    expect((await relay.journal.failed(1)).statusCode).toBe(504);
    expect(relay.leases.open).toBe(0);
  });

  test('a drip that never contains anything ends', async () => {
    await relay.close();
    await open(600);
    const reply = await play(own, (socket) => {
      socket.write(head(isStream, '\r\n'));
      const drip = setInterval(() => socket.write(isStream ? 'd' : ' '), 25);
      socket.on('close', () => clearInterval(drip));
    });
    await failedWith(reply, 504);
    expect(warned.length).toBeGreaterThan(0);
    await stillServes(own);
  });

  test('an answer without end ends', async () => {
    const piece = Buffer.from(isStream ? dialect.piece('word '.repeat(2_000)) : ' '.repeat(9_999));
    await play(own, (socket) => {
      socket.write(head(isStream, `\r\n${isStream ? dialect.begin : '{"a":"'}`));
      pour(socket, piece);
    });
    const outcome = await relay.journal.outcome();
    // Output beyond what was requested is not paid.
    if (outcome.kind === 'used') expect(outcome.usage.completionTokens).toBeLessThan(70_000);
    expect(warned.length).toBeGreaterThan(0);
    await stillServes(own);
  });

  test('one line of 50 MB is borne', async () => {
    const long = 'word '.repeat(10 * mib);
    const reply = await play(own, (socket) => {
      const { begin } = dialect;
      const line = isStream
        ? `${begin}${dialect.piece(long)}${dialect.end([5, 3])}`
        : dialect.whole(long, [5, 3]);
      socket.write(answered(isStream, line));
    });
    const outcome = await relay.journal.outcome();
    if (reply.status === 200 && outcome.kind === 'used') {
      expect(reply.body.length).toBeGreaterThan(long.length);
      expect(outcome.usage).toMatchObject({ promptTokens: 5, completionTokens: 3 });
    } else {
      expect(outcome.kind).toBe('failed');
      // As an error of its own, or as the last event.
      if (reply.status === 200) expect(reply.text).toContain('error');
      else expect(reply.status).toBe(502);
    }
    await stillServes(own);
  });

  test('a bomb of zeros is not unpacked to its end', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const reply = await play(own, (socket) =>
      socket.write(answered(isStream, bomb, 'content-encoding: gzip\r\n')),
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * mib);
    // A stream that is passed through may have begun.
    if (reply.status === 502) await failedWith(reply, 502);
    else {
      expect([isStream, reply.body.length < 50 * mib]).toEqual([true, true]);
      expect(await relay.journal.used()).toMatchObject({ end: 'upstream-broken' });
    }
    await stillServes(own);
  });

  test('bytes that are no UTF-8 are no reason to fail', async () => {
    const [before, after] = bodyOf(dialect, isStream, { tokens: [5, 3], text: 'Hi @ there' }).split(
      '@',
    );
    const bad = Buffer.from([0xff, 0xc3, 0x28, 0xe2, 0x82]);
    const body = Buffer.concat([Buffer.from(before ?? ''), bad, Buffer.from(after ?? '')]);
    const reply = await play(own, (socket) => socket.write(answered(isStream, body)));
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('there');
    expect((await relay.journal.used()).usage.completionTokens).toBe(3);
    await stillServes(own);
  });

  test('a web page instead of an answer is an error', async () => {
    const page = '<!doctype html><html><body>Welcome</body></html>';
    const reply = await play(own, (socket) =>
      socket.write(
        answered(isStream, page)
          .toString()
          .replace(/content-type: \S+/, 'content-type: text/html'),
      ),
    );
    await failedWith(reply, 502);
    expect(reply.text).not.toContain('Welcome');
    await stillServes(own);
  });

  test('nothing at all, and something that is no HTTP, are errors', async () => {
    await failedWith(await play(own, (socket) => socket.write(answered(isStream, ''))), 502);
    upstream.play((socket) => socket.end('\u0000\u0001 hello\r\n\r\n'));
    const reply = await ask(relay, own.caller, { isStream, limit });
    expect([500, 502]).toContain(reply.status);
    expect(relay.leases.open).toBe(0);
  });
});

describe.each(cases.filter(([, { isStream }]) => isStream))('%s', (_name, own) => {
  const { dialect } = own;
  const whole = bodyOf(dialect, true, { tokens: [5, 3], text: 'Hi 🙂 Zoë there' });

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('lines that end with %s are events, however they are cut', async (_end, eol) => {
    const bytes = Buffer.from(whole.replaceAll('\n', eol));
    const reply = await play(own, (socket) => {
      socket.setNoDelay(true);
      socket.write(head(true, `content-length: ${bytes.length}\r\n\r\n`));
      let at = 0;
      const next = (): void => {
        if (at >= bytes.length) return;
        socket.write(bytes.subarray(at, at + 7), () => setImmediate(next));
        at += 7;
      };
      next();
    });
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('Hi 🙂 Zoë there');
    expect(await relay.journal.used()).toMatchObject({
      end: 'complete',
      usage: { promptTokens: 5, completionTokens: 3 },
    });
    await stillServes(own);
  });

  test('a stream that calls itself something else is a stream', async () => {
    const reply = await play(own, (socket) =>
      socket.write(
        answered(true, whole).toString('latin1').replace('text/event-stream', 'text/plain'),
        'latin1',
      ),
    );
    expect(reply.text).toContain('Hi 🙂 Zoë there');
    expect(await relay.journal.used()).toMatchObject({ usage: { completionTokens: 3 } });
    await stillServes(own);
  });
});
