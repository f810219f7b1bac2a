import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { answersIn, getRaw, openRaw, type RawConnection } from '../../support/raw-http.ts';
import type { Attack, Place } from './attack.ts';
import { connectionAttacks } from './connections.ts';
import { chunkAttacks, framingAttacks } from './framing.ts';
import { headAttacks } from './heads.ts';

/** A server, and the paths below which it repeats the request. */
export type Target = Readonly<{ name: string; port: number; below: readonly string[] }>;

const goodCallers = 4;
const momentMs = 5;
let made = 0;

const placeBelow = (below: string): Place => {
  made += 1;
  return { path: `${below}asked-${made}`, smuggledPath: `${below}smuggled-${made}` };
};

const sendTo = async (target: Target, { parts, endsHalf }: Attack): Promise<RawConnection> => {
  const connection = await openRaw(target);
  for (const part of parts) {
    connection.write(part);
    await pause(momentMs);
  }
  if (endsHalf === true) connection.socket.end();
  return connection;
};

/** Callers of other connections; each must get the answer to its own request. */
const checkGoodCallers = async (target: Target, during: string): Promise<void> => {
  const below = target.below.flatMap((path) => Array.from({ length: goodCallers }, () => path));
  await Promise.all(
    below.map(async (path) => {
      made += 1;
      const asked = `${path}good-${made}`;
      const answer = await getRaw(target, asked, 20_000);
      expect(answer?.status, during).toBe(404);
      expect(answer?.body, during).toContain(asked);
      expect(answer?.body, during).not.toMatch(/smuggled|asked-/);
    }),
  );
};

const checkOwnAnswers = (received: string, attack: Attack, during: string): void => {
  // Node's own refusals have no body.
  expect(received === '' || received.startsWith('HTTP/1.1 '), during).toBe(true);
  const answers = answersIn(received);
  for (const { status, body } of answers) {
    expect(status, during).toBeLessThan(600);
    expect(status === 500 || status === 502, `${during}: ${status} ${body}`).toBe(false);
    expect(body, during).not.toContain('good-');
  }
  if (attack.verdict === 'own answers') return;
  expect(answers.length, `${during}: ${received.slice(0, 2_000)}`).toBeLessThanOrEqual(1);
  expect(received, during).not.toContain('smuggled');
};

const attackOnce = async (target: Target, attack: Attack, during: string): Promise<void> => {
  const connection = await sendTo(target, attack);
  try {
    // While the connection is open, and before its own answer is read.
    await checkGoodCallers(target, during);
    await connection.settled();
    checkOwnAnswers(connection.received(), attack, during);
  } finally {
    connection.close();
  }
};

const attacksOn = (target: Target): readonly Attack[] =>
  target.below.flatMap((below) =>
    [framingAttacks, chunkAttacks, headAttacks, connectionAttacks].flatMap((make) =>
      make(placeBelow(below)),
    ),
  );

type Outcome = Readonly<{ attacks: number; problems: readonly string[] }>;

/** Every attack on its own connection, a few at a time. */
export const runAttacks = async (target: Target): Promise<Outcome> => {
  const attacks = attacksOn(target);
  const problems: string[] = [];
  let next = 0;
  const attackSome = async (): Promise<void> => {
    while (next < attacks.length) {
      const attack = attacks[next];
      next += 1;
      if (attack === undefined) return;
      await attackOnce(target, attack, `${target.name}: ${attack.name}`).catch((error: unknown) => {
        problems.push(error instanceof Error ? error.message : String(error));
      });
    }
  };
  await Promise.all(Array.from({ length: 4 }, attackSome));
  return { attacks: attacks.length, problems };
};

/**
 * Good bytes for one connection, the paths that its answers name, in order, and how many must
 * arrive.
 */
type Splittable = Readonly<{ request: string; paths: readonly string[]; least: number }>;

const splittable = (below: string): readonly Splittable[] => {
  made += 1;
  const [one, two] = [`${below}split-${made}`, `${below}behind-${made}`];
  const body = '{"a":1}';
  const framed = `POST ${one} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n`;
  const inChunks = `POST ${one} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n`;
  const last = `GET ${two} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  return [
    { request: `${framed}Connection: close\r\n\r\n${body}`, paths: [one], least: 1 },
    { request: `${framed}\r\n${body}${last}`, paths: [one, two], least: 1 },
    { request: inChunks + last, paths: [one, two], least: 1 },
    { request: `GET ${one} HTTP/1.1\r\nHost: x\r\n\r\n${last}`, paths: [one, two], least: 2 },
  ];
};

/**
 * Good requests, one alone and two on one connection, in two pieces, cut after each byte. Answers
 * how many cuts there were.
 */
export const runSplits = async (target: Target): Promise<number> => {
  const cuts = target.below
    .flatMap(splittable)
    .flatMap(({ request, ...expected }) =>
      Array.from({ length: request.length - 1 }, (_, at) => ({ request, ...expected, at: at + 1 })),
    );
  const cutOne = async ({ request, paths, least, at }: (typeof cuts)[number]): Promise<void> => {
    const connection = await openRaw(target);
    connection.write(request.slice(0, at));
    await pause(2);
    connection.write(request.slice(at));
    await Promise.race([connection.closed, pause(20_000)]);
    connection.close();
    const answers = answersIn(connection.received());
    const during = `cut after ${JSON.stringify(request.slice(Math.max(0, at - 20), at))}`;
    expect(answers.length, during).toBeGreaterThanOrEqual(least);
    expect(answers.length, during).toBeLessThanOrEqual(paths.length);
    for (const [nth, { status, body }] of answers.entries()) {
      expect(status, during).toBe(404);
      expect(body, during).toContain(paths[nth]);
    }
    // An answer to an unread body may be the last one, and announces it (RFC 9112, 9.6).
    expect(answers.at(-1)?.head, during).toMatch(/^connection: close$/im);
  };
  for (let from = 0; from < cuts.length; from += 8) {
    await Promise.all(cuts.slice(from, from + 8).map(cutOne));
  }
  return cuts.length;
};
