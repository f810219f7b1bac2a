import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorText } from './api-error.ts';
import { type RelayErrorCode, relayError, relayErrors } from './relay-errors.ts';

const codes = Object.keys(relayErrors) as RelayErrorCode[];
const protocols = ['openai', 'claude', 'gemini', 'cohere', 'ollama'] as const;

const statusIn = (code: RelayErrorCode, protocol: (typeof protocols)[number]): number => {
  const { status, statuses } = relayError(code);
  return statuses?.[protocol] ?? status;
};

/** Each error with its status, and where a protocol has another one. */
const page = (): string => {
  const rows = codes.toSorted().map((code) => {
    const { text, status } = relayErrors[code];
    const others = protocols
      .filter((protocol) => statusIn(code, protocol) !== status)
      .map((protocol) => `${protocol} ${statusIn(code, protocol)}`);
    const error = relayError(code);
    const retry = error.retryAfterSeconds === undefined ? '' : `after ${error.retryAfterSeconds} s`;
    const cells = [
      `\`${code}\``,
      [status, ...others].join(', '),
      error.isFinal === true ? 'never' : retry,
      text,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# Errors of the relay',
    '',
    'Made from `relay/protocol/relay-errors.ts` by its spec. Errors of providers keep their own code, text and',
    '`Retry-After`. How each protocol writes an error: [protocols.md](protocols.md), section 14.',
    '',
    '| code | status | try again | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
};

test('the reference page lists every error', async () => {
  await expect(page()).toMatchFileSnapshot('../../infra/reference/errors.md');
});

test('no other file of the relay makes up the status of an error', () => {
  const sources = readdirSync('relay', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('.spec.'),
  );
  const made = sources.filter((path) => {
    const text = readFileSync(`relay/${path}`, 'utf8');
    return /status: [45]\d\d,\s*message/.test(text) && !path.startsWith('providers/');
  });
  expect(sources.length).toBeGreaterThan(300);
  expect(made).toEqual([]);
});

test.each([
  ['openai', { error: { type: 'insufficient_quota', code: 'insufficient_quota' } }],
  ['claude', { type: 'error', error: { type: 'billing_error' } }],
  ['gemini', { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }],
] as const)('a call without funds is of the class that %s has for it', (protocol, shape) => {
  const error = relayError('insufficient_quota');
  const status = statusIn('insufficient_quota', protocol);
  expect(JSON.parse(errorText({ ...error, status }, 'r', protocol))).toMatchObject(shape);
});
