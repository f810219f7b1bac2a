import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { siteDecider } from '../../domain/site/decider.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import { fold } from '../../tests/support/decider-spec.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

const put = async (key: unknown, value: unknown, person = root) =>
  (await person.call('PUT', '/api/option/', { body: { key, value } as object })).body;

test('numbers and booleans are taken as their texts', async () => {
  expect(await put('RetryTimes', 3)).toMatchObject({ success: true });
  expect(await put('RegisterEnabled', false)).toMatchObject({ success: true });
  expect(side.events('OptionChanged')).toMatchObject([
    { key: 'RetryTimes', value: '3' },
    { key: 'RegisterEnabled', value: 'false' },
  ]);
});

test('what is as it was counts as saved and writes nothing', async () => {
  expect(await put('RegisterEnabled', 'true')).toMatchObject({ success: true });
  expect(side.events('OptionChanged')).toEqual([]);
});

test('a secret is sealed, and never in the log in the clear', async () => {
  expect(await put('SMTPToken', 'hunter2-hunter2')).toMatchObject({ success: true });
  expect(side.events('SecretOptionChanged')).toHaveLength(1);
  expect(JSON.stringify(side.eventStore.all.map(({ event }) => event))).not.toContain('hunter2');
});

test('bad values are refused before anything is stored', async () => {
  expect(await put('ModelRatio', '{"gpt-4o":')).toMatchObject({ code: 'option.not-json' });
  expect(await put('QuotaPerUnit', 'many')).toMatchObject({ code: 'option.not-a-number' });
  expect(await put('NoSuchOption', 'x')).toMatchObject({ code: 'option.unknown' });
  expect(await put('Notice', { a: 1 })).toMatchObject({ code: 'request.invalid' });
  expect(side.events('OptionChanged')).toEqual([]);
});

test('a login provider needs its client id first', async () => {
  expect(await put('GitHubOAuthEnabled', 'true')).toMatchObject({
    success: false,
    code: 'option.needs',
  });
});

test('the top-up link belongs to the super admin', async () => {
  const password = 'correct-horse';
  await root.call('POST', '/api/user/', { body: { username: 'ada', password } });
  await root.call('POST', '/api/user/manage', { body: { id: 2, action: 'promote' } });
  const admin = side.person();
  await admin.signIn('ada', password);
  const link = 'https://shop.test';
  expect(await put('TopUpLink', link, admin)).toMatchObject({ code: 'option.forbidden' });
  expect(await put('TopUpLink', link)).toMatchObject({ success: true });
});

describe('the secret of a target', () => {
  const secretsOf = async () => [...(await stored()).secrets.keys()];
  const stored = async () => {
    const events = side.eventStore.all.filter(({ streamId }) => streamId === 'site');
    return fold(
      siteDecider,
      events.map(({ event }) => event as SiteEvent),
    );
  };
  const mail = { SMTPServer: 'smtp.example', SMTPAccount: 'desk', SMTPToken: 'hunter2-hunter2' };
  const putSecret = async (key: string, value: unknown, secret: string) =>
    (await root.call('PUT', '/api/option/', { body: { key, value, secret, reason: 'moved' } }))
      .body;
  beforeEach(async () => {
    for (const [key, value] of Object.entries(mail)) await put(key, value);
  });

  test('is cleared when the target changes, and the answer names it', async () => {
    expect(await put('SMTPServer', 'other.example')).toMatchObject({
      success: true,
      message: expect.stringContaining('SMTPToken'),
      data: { secret_needed: 'SMTPToken' },
    });
    expect(await secretsOf()).toEqual([]);
    await put('SMTPToken', 'another-secret');
    expect(await secretsOf()).toEqual(['SMTPToken']);
  });

  test('is sent with the change, in any order of parallel calls', async () => {
    const answers = await Promise.all([
      putSecret('SMTPServer', 'other.example', 'another-secret'),
      putSecret('SMTPPort', 465, 'another-secret'),
      putSecret('SMTPAccount', 'other', 'another-secret'),
    ]);
    for (const answer of answers) expect(answer).toEqual({ success: true, message: '' });
    expect(await secretsOf()).toEqual(['SMTPToken']);
    expect(side.events('OptionChanged').at(-1)).toMatchObject({ reason: 'moved' });
    expect(JSON.stringify(side.eventStore.all.map(({ event }) => event))).not.toMatch(
      /another-secret|hunter2/,
    );
  });

  test('is cleared when it is saved empty', async () => {
    expect(await put('SMTPToken', ' ')).toMatchObject({ success: true });
    expect(await secretsOf()).toEqual([]);
  });
});

test('parallel saves of many options all hold', async () => {
  const answers = await Promise.all(
    ['RetryTimes', 'PreConsumedQuota', 'QuotaForNewUser'].map((key, nth) => put(key, nth + 10)),
  );
  expect(answers.every(({ success }) => success === true)).toBe(true);
  expect(side.events('OptionChanged')).toHaveLength(3);
});

test('model ratios are reset to their defaults, any number of times', async () => {
  await put('ModelRatio', '{"x":2}');
  for (let nth = 0; nth < 2; nth += 1) {
    const { body } = await root.call('POST', '/api/option/rest_model_ratio');
    expect(body).toMatchObject({ success: true });
    expect(body.message).not.toBe('');
  }
  expect(side.events('OptionReset')).toHaveLength(1);
});
