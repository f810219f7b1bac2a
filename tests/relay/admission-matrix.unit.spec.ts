import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Refusal, type RefusedCalls, refusedSubject } from '../../domain/relay/refusals.ts';
import { type Entry, entries, type Step, steps } from '../../relay/admission/entries.ts';
import {
  calls,
  model,
  type Sent,
  type Setting,
  usual,
  videoModel,
} from '../support/relay/entry-calls.ts';
import {
  aChannel,
  anAccount,
  aToken,
  type Harness,
  json,
  rawKey,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from '../support/relay/relay-harness.ts';
import { exchangeHttp } from '../support/relay/relay-http.ts';
import { testSigner } from '../support/sessions.ts';
import { aSessionId } from '../support/user-examples.ts';

/** Every entry of the relay under every rule that the table of entries applies to it. */

const unpriced = 'model-without-a-price';

let relay: Harness;
let upstream: UpstreamSpy;
let recorded: Refusal[];

/** Channels of every kind that the entries need. */
const putChannels = async (status: 1 | 2 = 1): Promise<void> => {
  const tasks = ['mj_imagine', 'suno_music'];
  const types: readonly (readonly [number, number, readonly string[]])[] = [
    [1, 1, [model, unpriced, ...tasks]],
    [2, 55, [videoModel, unpriced]],
    [3, 14, [model, unpriced]],
    [4, 24, [model, unpriced]],
  ];
  for (const [id, type, models] of types) {
    const own = { type, models: [...models], baseUrl: upstream.url };
    await relay.put.channel(aChannel(id, own, status));
  }
};

beforeEach(async () => {
  relay = await startHarness({ tickMs: 2 });
  recorded = [];
  await relay.bus.serve<RefusedCalls, unknown>(refusedSubject, async ({ sequence, refusals }) => {
    recorded.push(...refusals);
    return { sequence };
  });
  upstream = await startUpstream(json({ error: { message: 'not here' } }, 400));
  await putChannels();
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

const sessionCookie = (): Record<string, string> => {
  const session = { id: aSessionId(), userId: 7, epoch: 3, issuedAt: Date.now() };
  return { cookie: `session=${testSigner.sign(session)}`, 'new-api-user': '7' };
};

const headersOf = (entry: Entry, setting: Setting, sent: Sent): Record<string, string> => ({
  ...(setting.key
    ? entry === 'playground'
      ? sessionCookie()
      : { authorization: `Bearer sk-${rawKey}` }
    : {}),
  ...(sent.body === undefined ? {} : { 'content-type': sent.type ?? 'application/json' }),
});

/** Status and text of the refusal of an upgrade; or what the socket is told, and how it is closed. */
const openSocket = (sent: Sent, headers: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${relay.port}${sent.path}`, { headers });
    const told: string[] = [];
    socket.on('unexpected-response', (_req, res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve(`${res.statusCode} ${Buffer.concat(chunks).toString()}`));
    });
    socket.on('message', (data) => told.push(String(data)));
    socket.on('open', () => {
      if (sent.frame === undefined) socket.close();
      else socket.send(JSON.stringify(sent.frame));
    });
    socket.on('error', () => {});
    socket.on('close', (code, reason) => resolve(`${told.join(' ')} ${code} ${reason}`));
  });

const run = async (entry: Entry, change: Partial<Setting> = {}): Promise<string> => {
  const setting = { ...usual, ...change };
  const sent = calls[entry](setting);
  const headers = headersOf(entry, setting, sent);
  if (sent.isSocket === true) return openSocket(sent, headers);
  const { method, path } = sent;
  const body = sent.body === undefined ? null : Buffer.from(sent.body);
  const reply = await exchangeHttp(relay.port, { method, path, headers }, body);
  return `${reply.status} ${reply.text}`;
};

type Rule = Readonly<{
  /** Switches the rule on. */
  on?: () => Promise<unknown>;
  change?: Partial<Setting>;
  /** Refused is the second of two requests. */
  isSecond?: true;
  refusal: RegExp;
  /** Code in the record of refusals. */
  reason: RegExp;
}>;

const option = (key: string, value: string) => relay.put.option(key, value);

const rules: Readonly<Record<Exclude<Step, 'body'>, Rule>> = {
  recordable: {
    on: async () => {
      relay.journal.canRecord = false;
    },
    refusal: /usage_not_recordable|Usage cannot be recorded/,
    reason: /^usage_not_recordable$/,
  },
  identity: {
    change: { key: false },
    refusal: /^401 .*(No API key was given|not-signed-in)/,
    reason: /^(invalid_api_key|auth.not-signed-in)$/,
  },
  address: {
    on: () => relay.put.token(rawKey, aToken({ allowIps: ['10.9.8.7'] })),
    refusal: /^403 .*Your address is not on the list/,
    reason: /^ip_not_allowed$/,
  },
  requests: {
    on: async () => {
      await option('ModelRequestRateLimitCount', '1');
      await option('ModelRequestRateLimitSuccessCount', '100');
      await option('ModelRequestRateLimitEnabled', 'true');
    },
    isSecond: true,
    refusal: /^429 .*At most 1 request/,
    reason: /^rate_limit_exceeded$/,
  },
  group: {
    on: () => relay.put.token(rawKey, aToken({ group: 'closed' })),
    change: { group: 'closed' },
    refusal: /group_not_allowed|Group closed/,
    reason: /^group_not_allowed$/,
  },
  model: {
    on: () => relay.put.token(rawKey, aToken({ modelLimits: ['another-model'] })),
    refusal: /model_not_allowed|may not use model/,
    reason: /^model_not_allowed$/,
  },
  channel: {
    on: () => putChannels(2),
    refusal: /^503 .*Every channel|Every channel of model/,
    reason: /^model_unavailable$/,
  },
  words: {
    on: () => option('SensitiveWords', 'forbidden'),
    change: { text: 'forbidden fruit' },
    refusal: /words that are not allowed here/,
    reason: /^sensitive_words_detected$/,
  },
  price: {
    change: { model: unpriced },
    refusal: /model_price_error|has no price/,
    reason: /^model_price_error$/,
  },
  calls: {
    on: () => option('call_limits.users', '{"*":{"requests_per_minute":1}}'),
    isSecond: true,
    refusal: /^429|1 request/,
    reason: /^rate_limit_exceeded$/,
  },
  quota: {
    on: async () => {
      relay.leases.funds = 0;
    },
    refusal: /quota|balance of 0 units/,
    reason: /^insufficient_quota$/,
  },
};

const isRule = (step: Step): step is Exclude<Step, 'body'> => step !== 'body';
/** Frames of sessions need a provider that speaks: the spec of frames has them. Steps of drawings and music have default prices. */
const isElsewhere = (entry: Entry, step: Step): boolean =>
  step === 'words'
    ? entry === 'realtime' || entry === 'live'
    : step === 'price' && (entry === 'image-task' || entry === 'music-task');

const applied = steps
  .filter(isRule)
  .flatMap((step) =>
    (Object.keys(entries) as Entry[])
      .filter((entry) => entries[entry][step] === true && !isElsewhere(entry, step))
      .map((entry): readonly [Exclude<Step, 'body'>, Entry] => [step, entry]),
  );

describe('each rule of admission refuses at each entry that it applies to', () => {
  test.each(applied)('%s: %s', async (step, entry) => {
    const { on, change, isSecond, refusal, reason } = rules[step];
    const open = isSecond === true ? '' : await run(entry);
    expect(open).not.toMatch(refusal);
    await on?.();
    if (isSecond === true) expect(await run(entry, change)).not.toMatch(refusal);
    const before = upstream.requests.length;
    expect(await run(entry, change)).toMatch(refusal);
    expect(upstream.requests).toHaveLength(before);
    const isKnown = step !== 'recordable' && step !== 'identity';
    const tokenId = isKnown && entry !== 'playground' ? 5 : 0;
    const ofReason = () => recorded.filter(({ reason: code }) => reason.test(code));
    await vi.waitFor(() =>
      expect(ofReason()).toMatchObject([{ userId: isKnown ? 7 : 0, tokenId, count: 1 }]),
    );
  });
});

/** A row for each entry; a reason that several entries share is a note below the table. */
const page = (): string => {
  const reasons = [
    ...new Set(
      Object.values(entries).flatMap((row) =>
        steps.map((step): true | string => row[step]).filter((rule) => rule !== true),
      ),
    ),
  ];
  const cell = (rule: true | string): string =>
    rule === true ? 'yes' : String(reasons.indexOf(rule) + 1);
  const rows = Object.entries(entries).map(
    ([entry, row]) => `| ${[entry, ...steps.map((step) => cell(row[step]))].join(' | ')} |`,
  );
  return [
    '# Admission: which step applies to which entry',
    '',
    'Made from `relay/admission/entries.ts` by `tests/relay/admission-matrix.unit.spec.ts`, which also calls',
    'every entry with every rule. A number is the reason why a step does not apply. What the steps check',
    'and answer: [protocols.md](protocols.md), section 4.',
    '',
    `| entry | ${steps.join(' | ')} |`,
    `|---|${steps.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...reasons.map((reason, at) => `${at + 1}. ${reason}`),
    '',
  ].join('\n');
};

test('the reference page has the table', async () => {
  await expect(page()).toMatchFileSnapshot('../../infra/reference/admission.md');
});

test('the account of the playground is refused by its group as well', async () => {
  await relay.put.account(anAccount({ status: 2 }));
  expect(await run('playground')).toMatch(/banned/i);
});
