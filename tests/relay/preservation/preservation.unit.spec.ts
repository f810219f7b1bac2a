import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../relay/protocol/canonical.ts';
import {
  type Answer,
  aChannel,
  type Harness,
  rawKey,
  sealedFor,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from '../../support/relay/relay-harness.ts';
import { replyFeatures } from './reply-features.ts';
import { requestFeatures } from './request-features.ts';
import { foldStream, streamOf } from './streams.ts';
import { type Caller, callers, type Family, families, reasonIn } from './tables.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer = (_req, res) => {
  res.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"x"}}');
};
const count = { kept: 0, reasons: 0 };

const nameOf = ({ name, model }: Family): string => `${name.toLowerCase()}/${model}`;

beforeAll(async () => {
  relay = await startHarness({ maxBodyBytes: 4_194_304 });
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
  const prices = Object.fromEntries(families.map((family) => [nameOf(family), 1]));
  await relay.put.option('ModelRatio', JSON.stringify(prices));
  for (const [index, family] of families.entries()) {
    await relay.put.channel({
      ...aChannel(index + 1, {
        type: family.channelType,
        baseUrl: upstream.url,
        models: [nameOf(family)],
        modelMapping: JSON.stringify({ [nameOf(family)]: family.model }),
      }),
      sealedKey: sealedFor(index + 1, family.key),
    });
  }
});
afterAll(async () => {
  upstream.close();
  await relay.close();
  const cells = pairs.length * (requestFeatures.length + 2 * replyFeatures.length);
  expect(count.kept + count.reasons).toBe(cells);
  process.stdout.write(
    `preservation: ${count.kept} cells kept, ${count.reasons} not offered, each with its reason\n`,
  );
});

const baseOf = (caller: Caller, model: string): JsonObject => {
  if (caller === 'gemini') return { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
  const messages = [{ role: 'user', content: 'Hello' }];
  return caller === 'claude' ? { model, max_tokens: 64, messages } : { model, messages };
};

const send = (
  caller: Caller,
  family: Family,
  { isStream, more }: Readonly<{ isStream: boolean; more: JsonObject }>,
) => {
  const model = nameOf(family);
  const body = { ...baseOf(caller, model), ...more };
  if (caller === 'gemini') {
    const action = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    const path = `/v1beta/models/${encodeURIComponent(model)}:${action}`;
    return relay.send(path, JSON.stringify(body), { authorization: '', 'x-goog-api-key': rawKey });
  }
  const path = caller === 'claude' ? '/v1/messages' : '/v1/chat/completions';
  return relay.send(path, JSON.stringify(isStream ? { ...body, stream: true } : body));
};

const pairs = callers.flatMap((caller) =>
  families.map((family) => [caller, family.name, family] as const),
);

describe.each(pairs)('what a caller of %s requests from %s', (caller, _name, family) => {
  test.each(requestFeatures.map((feature) => [feature.name, feature] as const))(
    '%s arrive or have a reason',
    async (_feature, { asks, sees, pairs: exceptions }) => {
      const ask = asks[caller];
      const sight = sees[family.shape];
      const reason =
        (typeof ask === 'string' ? ask : undefined) ??
        reasonIn(exceptions, caller, family) ??
        (typeof sight === 'string' ? sight : undefined);
      if (reason !== undefined || typeof ask === 'string' || typeof sight === 'string') {
        expect(reason?.length).toBeGreaterThan(5);
        count.reasons += 1;
        return;
      }
      const before = upstream.requests.length;
      const reply = await send(caller, family, { isStream: false, more: ask });
      const sent = upstream.requests[before];
      expect(sent, `never asked: ${reply.text}`).toBeDefined();
      const body: JsonObject = JSON.parse(sent?.body.toString() ?? '{}');
      expect(sight(body), JSON.stringify(body)).toBe(true);
      count.kept += 1;
    },
  );
});

const receivedOf = (caller: Caller, text: string, isStream: boolean): JsonObject =>
  isStream ? foldStream(caller, text) : JSON.parse(text);

const replies = pairs.flatMap(([caller, name, family]) =>
  [false, true].map(
    (isStream) => [caller, name, isStream ? 'streamed' : 'whole', { family, isStream }] as const,
  ),
);

/** Thought signatures are shown to those who use tools or request thinking. */
const tools: Readonly<Record<Caller, JsonObject>> = {
  openai: {
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    stream_options: { include_usage: true },
  },
  claude: { tools: [{ name: 'f', input_schema: { type: 'object' } }] },
  gemini: { tools: [{ functionDeclarations: [{ name: 'f' }] }] },
};

describe.each(replies)(
  'what a caller of %s receives from %s, %s',
  (caller, _name, how, { family, isStream }) => {
    test.each(replyFeatures.map((feature) => [feature.name, feature] as const))(
      '%s arrive or have a reason',
      async (_feature, { says, hears, pairs: exceptions }) => {
        const produced = says[family.shape];
        const sight = hears[caller];
        const reason =
          (typeof produced === 'string' ? produced : undefined) ??
          exceptions?.[`${caller}>${family.shape} ${how}`] ??
          reasonIn(exceptions, caller, family) ??
          (typeof sight === 'string' ? sight : undefined);
        if (reason !== undefined || typeof produced === 'string' || typeof sight === 'string') {
          expect(reason?.length).toBeGreaterThan(5);
          count.reasons += 1;
          return;
        }
        answer = (_req, res) => {
          const bytes = isStream
            ? streamOf(family.shape, produced, family.channelType === 33)
            : Buffer.from(JSON.stringify(produced));
          res.writeHead(200, {
            'content-type': isStream ? 'text/event-stream' : 'application/json',
          });
          res.end(bytes);
        };
        const { stream_options: options, ...own } = tools[caller];
        const more = isStream && caller === 'openai' ? { ...own, stream_options: options } : own;
        const reply = await send(caller, family, { isStream, more });
        expect(reply.status, reply.text).toBe(200);
        const received = receivedOf(caller, reply.text, isStream);
        expect(sight(received), JSON.stringify(received)).toBe(true);
        count.kept += 1;
      },
    );
  },
);
