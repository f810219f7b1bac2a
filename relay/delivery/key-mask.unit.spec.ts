import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  aChannel,
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  type Harness,
  json,
  rawKey,
  sealedFor,
  sse,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
  vault,
} from '../../tests/support/relay/relay-harness.ts';
import { compileChannel } from '../feeds/upstream-channel.ts';
import { channelKeyForms } from './key-forms.ts';
import { KeyMask } from './key-mask.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

const key = 'sk-live-0123456789abcdefghijklmn';
const signedKey = 'AKID0123456789abcdef|se+cret/0123456789/abcdef==|eu-west-1';

const put = (settings: Parameters<typeof aChannel>[1] = {}, channelKey = key) =>
  relay.put.channel({
    ...aChannel(1, { baseUrl: upstream.url, ...settings }),
    sealedKey: sealedFor(1, channelKey),
  });

beforeEach(async () => {
  relay = await startHarness();
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
  await put();
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const chat = (more: object = {}, headers: Record<string, string> = {}) =>
  relay.send('/v1/chat/completions', chatBody(more), headers);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const end = doneEvent;

describe('a stream without an error shows no key', () => {
  test.each([
    ['in what the model writes', chunkEvent(`the key is ${key}!`), 'the key is [key]!'],
    ['in a member of an event', chunkEvent('Hi', { debug: { auth: key } }), '"auth":"[key]"'],
    ['in a comment', `: upstream ${key}\n\n${chunkEvent('Hi')}`, ': upstream [key]\n'],
    ['in an event of another name', `event: debug\ndata: ${key}\n\n${chunkEvent('Hi')}`, '[key]'],
    ['as the token of the caller', chunkEvent(`sk-${rawKey}`), 'sk-[key]'],
  ])('%s', async (_where, event, shown) => {
    answer = sse([chunkEvent('A'), event, end]);
    const { text } = await chat({ stream: true });
    expect(text).not.toContain(key);
    expect(text).not.toContain(rawKey);
    expect(text).toContain(shown);
    expect(text.startsWith(chunkEvent('A'))).toBe(true);
    expect(text.endsWith(end)).toBe(true);
  });

  test('to callers of another protocol', async () => {
    answer = sse([chunkEvent(`the key is ${key}!`), end]);
    const body = chatBody({ max_tokens: 9, stream: true });
    const { text } = await relay.send('/v1/messages', body);
    expect(text).not.toContain(key);
    expect(text).toContain('the key is [key]!');
  });

  test('at whichever byte the provider cuts its bytes', async () => {
    const event = chunkEvent(`x ${key} y`);
    const at = event.indexOf(key);
    const whole = await (async () => {
      answer = sse([event, end]);
      return (await chat({ stream: true })).text;
    })();
    for (const cut of [1, 2, 9, key.length - 1]) {
      answer = (_req, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write(event.slice(0, at + cut));
        void pause(15).then(() => res.end(event.slice(at + cut) + end));
      };
      expect((await chat({ stream: true })).text).toBe(whole);
    }
    expect(whole).toContain('x [key] y');
  });
});

const formsOf = (secret: string): readonly (readonly [string, string])[] => [
  ['as it is', secret],
  ['in an address', encodeURIComponent(secret)],
  [
    'in an address, with small letters',
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['with escaped slashes', secret.replaceAll('/', '\\/')],
  ['with escaped signs', secret.replaceAll('=', '\\u003d').replaceAll('+', '\\u002b')],
  ['as basic credentials', Buffer.from(`:${secret}`).toString('base64')],
  ['as basic credentials of a user', Buffer.from(`me:${secret}`).toString('base64')],
  ['as basic credentials before a word', Buffer.from(`${secret}:x`).toString('base64')],
];

describe('whichever way it is written, a key is masked', () => {
  const secret = 'se+cret/0123456789/abcdef==';

  test.each(formsOf(secret))('%s, in a stream', async (_how, form) => {
    await put({}, signedKey);
    answer = sse([chunkEvent('A').replace('A', `A ${form} in eu-west-1`), end]);
    const { text } = await chat({ stream: true });
    expect(text).toContain('[key]');
    expect(text).toContain('in eu-west-1');
    expect(text).not.toContain(form);
    expect(text).not.toMatch(/c2UrY3JldC|cret.{1,3}0123456789/);
  });

  test.each(formsOf(secret))('%s, in a refusal', async (_how, form) => {
    await put({}, signedKey);
    answer = json(
      {
        error: { message: `No: ${form}`, type: form, code: form, param: form },
      },
      401,
    );
    const { text } = await chat();
    expect(text).toContain('No: ');
    expect(text).not.toMatch(/cret.{1,4}0123456789/);
    expect(text).not.toContain(JSON.stringify(form).slice(1, -1));
  });

  test('a private key of an account, with its line ends as they are or escaped', async () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${'Ab1/'.repeat(16)}\n-----END PRIVATE KEY-----\n`;
    await put({}, JSON.stringify({ type: 'service_account', private_key: pem }));
    answer = sse([chunkEvent(pem), `: ${pem}\n\n`, end]);
    const { text } = await chat({ stream: true });
    expect(text).not.toContain('Ab1/');
    expect(text).toContain(end);
  });
});

test('bytes in any three pieces are masked as they are in one', () => {
  const forms = channelKeyForms(compileChannel(aChannel(1, {}), vault));
  const text = Buffer.from('a upstream-key-1 b upstream-kupstream-key-1upstream-key- c');
  const shown = 'a [key] b upstream-k[key]upstream-key- c';
  for (let first = 0; first <= text.length; first += 1) {
    for (let second = first; second <= text.length; second += 1) {
      const mask = new KeyMask([forms]);
      const pieces = [
        mask.next(text.subarray(0, first)),
        mask.next(text.subarray(first, second)),
        mask.last(text.subarray(second)),
      ];
      expect(Buffer.concat(pieces).toString()).toBe(shown);
    }
  }
});

describe('an answer in one piece shows no key', () => {
  test('anywhere in it, and its length is that of what is shown', async () => {
    answer = json({
      ...chatAnswer(usageOf(3, 4)),
      note: [key, { deep: `Bearer ${key}` }],
    });
    const { status, text, headers } = await chat();
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      note: ['[key]', { deep: 'Bearer [key]' }],
    });
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });

  test('however long it is', async () => {
    const filler = 'x'.repeat(1_500_000);
    answer = json({
      ...chatAnswer(usageOf(3, 4)),
      filler,
      note: key,
      more: filler,
      last: key,
    });
    const { text } = await chat();
    expect(text).not.toContain(key);
    expect(JSON.parse(text)).toMatchObject({ note: '[key]', last: '[key]' });
  });

  test('in its type', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': `application/json; key=${key}` });
      res.end(JSON.stringify(chatAnswer(usageOf(3, 4))));
    };
    expect((await chat()).headers['content-type']).toBe('application/json; key=[key]');
  });

  test('and none of the headers that a provider adds', async () => {
    for (const status of [200, 401, 302]) {
      answer = (_req, res) => {
        res.writeHead(status, {
          'content-type': 'application/json',
          'www-authenticate': `Bearer realm="${key}"`,
          location: `https://inner.example/?key=${key}`,
          'x-debug': key,
        });
        res.end(JSON.stringify(status === 200 ? chatAnswer(usageOf(3, 4)) : { error: key }));
      };
      const { text, headers } = await chat();
      expect(JSON.stringify(headers) + text).not.toContain(key);
    }
  });

  test('also where the key is an ordinary text in the body of a refusal', async () => {
    for (const body of [`denied: ${key}`, `<html>${key}</html>`, JSON.stringify([key])]) {
      answer = (_req, res) => {
        res.writeHead(403, { 'content-type': 'text/plain' }).end(body);
      };
      expect((await chat()).text).not.toContain(key);
    }
  });
});

test('the token of a caller reaches neither the log nor the record of a failure', async () => {
  answer = json({ error: { message: `No such key: sk-${rawKey}`, type: rawKey } }, 401);
  const { text } = await chat();
  expect(text).not.toContain(rawKey);
  expect(JSON.stringify(relay.journal.outcomes)).not.toContain(rawKey);
  expect(JSON.stringify(relay.journal.outcomes)).toContain('[key]');
});
