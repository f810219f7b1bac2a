import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import type { ChannelSettings } from '../../../../domain/channel/events.ts';
import type { OptionDefinition } from '../../../../domain/option/definition.ts';
import { isSecretOption, optionKeys, optionTable } from '../../../../domain/option/table.ts';
import type { TokenTerms } from '../../../../domain/token/events.ts';
import { anAct, entriesOf, entriesOfEveryType } from '../../../../tests/support/audit-entries.ts';
import { someSettings } from '../../../../tests/support/channel-examples.ts';
import enValues from '../../../locales/en/audit-entries.json' with { type: 'json' };
import { texts as en } from '../../../locales/en/index.ts';
import zhValues from '../../../locales/zh/audit-entries.json' with { type: 'json' };
import { texts as zh } from '../../../locales/zh/index.ts';
import { quotaSettings } from '../../../shared/quota-settings.ts';
import type { AuditRow } from '../api/audit.ts';
import { changesInShort, changesToShow, diffLines, fieldText } from './change-text.ts';
import { isFieldName, secretNames, words } from './field-kinds.ts';
import { reasonText, sentenceOf } from './sentence.ts';
import type { Reader, Translate } from './shown-value.ts';
import { eventTypes } from './texts.ts';

const i18n = createInstance();
const withValues = <Texts extends Readonly<{ audit: object }>>(texts: Texts, values: object) => ({
  ...texts,
  audit: { ...texts.audit, ...values },
});
await i18n.init({
  resources: { en: withValues(en, enValues), zh: withValues(zh, zhValues) },
  keySeparator: false,
  interpolation: { escapeValue: false },
});

const languages = ['en', 'zh'] as const;
const reader = (language: (typeof languages)[number]): Reader => ({
  t: i18n.getFixedT(language, ['audit', 'setting', 'user', 'wallet', 'common']) as Translate,
  display: { quotaPerUnit: 500_000, inCurrency: true },
  typeName: (type) => (type === 1 ? 'OpenAI' : undefined),
});
const english = reader('en');
const chinese = reader('zh');

/** The line of an entry in the list. */
const lineOf = (row: AuditRow, by: Reader): string =>
  [sentenceOf(row, by.t), ...changesInShort(row, by).map(({ text }) => text), reasonText(row, by)]
    .filter((text) => text !== '')
    .join(' · ');
/** Everything that the drawer of an entry shows of its values. */
const detailsOf = (row: AuditRow, by: Reader): readonly string[] => [
  ...changesToShow(row).flatMap((change) => [
    fieldText(change.field, row, by),
    ...diffLines(change, row, by).flatMap(({ text, title = '' }) => [text, title]),
  ]),
  ...row.secrets.map((field) => fieldText(field, row, by)),
];
const textsOf = (row: AuditRow, by: Reader) => [lineOf(row, by), ...detailsOf(row, by)];

/** The name of a setting is in brackets after its label; ids of payments and requests are text. */
const withoutNames = (text: string): string =>
  text.replace(/[（(][\w.]+[)）]/g, '').replace(/\b(USR|20\d{15})\w+/g, '');
const faults: Readonly<Record<string, RegExp>> = {
  'nothing where a value belongs': /\b(null|undefined|NaN|Invalid Date)\b/,
  'an object': /\[object|[{}]/,
  'a text that is not there': /\b(field|secret|word|none|sentence|type|because)[.][a-z]/i,
  'a placeholder': /\{\{/,
  'the name of a field in code': /\b[a-z]+[A-Z]\w*/,
  'a bare number of units or seconds': /(?<![$\d.,:])\b\d{5,}\b(?! (units|个))/,
};
const faultsIn = (row: AuditRow, by: Reader): readonly string[] =>
  textsOf(row, by).flatMap((text) =>
    Object.entries(faults)
      .filter(([, form]) => form.test(withoutNames(text)))
      .map(([fault]) => `${row.type}: ${fault}: ${text}`),
  );

const settings: ChannelSettings = someSettings();
const changed: ChannelSettings = {
  ...someSettings({
    type: 14,
    name: 'east',
    models: ['claude-4', 'gpt-4o'],
    groups: ['vip'],
    baseUrl: 'https://east.example.com',
    other: '2026-01-01',
    organization: 'org-1',
    testModel: 'gpt-4o',
    tag: 'spare',
    modelMapping: '{"gpt-4o":"gpt-4o-2024"}',
    statusCodeMapping: '{"429":"500"}',
    setting: '{"proxy":"http://10.0.0.2","thinking_to_content":true}',
    paramOverride: '{"temperature":0.5}',
    priority: -3,
    weight: 4,
    autoBan: false,
  }),
  maxInputTokens: 8_000,
  costRatio: '0.8',
};
const terms: TokenTerms = {
  name: 'ci',
  expiredTime: -1,
  unlimitedQuota: true,
  remainQuota: 0,
  modelLimitsEnabled: false,
  modelLimits: [],
  allowIps: [],
  group: '',
};
const limited: TokenTerms = {
  ...terms,
  name: 'nightly',
  expiredTime: 1_893_456_000,
  unlimitedQuota: false,
  remainQuota: 2_500_000,
  modelLimitsEnabled: true,
  modelLimits: ['gpt-4o'],
  allowIps: ['10.0.0.1'],
  group: 'vip',
  requestsPerMinute: 60,
  tokensPerMinute: 9_000,
  concurrentRequests: 4,
};

const otherValue = ({ kind, default: text }: OptionDefinition): string => {
  if (kind === 'bool') return text === 'true' ? 'false' : 'true';
  if (kind === 'int' || kind === 'number') return '1500000';
  if (kind === 'json') return '{"gpt-4o":1.5}';
  return kind === 'choice' ? 'day' : 'https://example.com';
};
const settingChanges = optionKeys
  .filter((key) => !isSecretOption(key))
  .map((key) => {
    const definition = optionTable[key];
    const previous = definition.kind === 'json' ? definition.default : null;
    return anAct('OptionChanged', { key, value: otherValue(definition), previous });
  });

const payment = {
  provider: 'lantu',
  providerReference: 'WX9',
  paid: { amountMinor: 7_200, currency: 'CNY' },
  bonusQuota: 500_000,
};
const wider = [
  anAct('ChannelCreated', { channelId: 9, settings, sealedKey: 'sealed', status: 2 }),
  anAct('ChannelChanged', { channelId: 9, settings: changed, previous: settings, sealedKey: 's' }),
  anAct('TokenCreated', { tokenId: 9, userId: 2, terms, sealedKey: 's', keyHash: 'h' }),
  anAct('TokenChanged', { tokenId: 9, userId: 2, terms: limited, previous: terms, keyHash: 'h' }),
  anAct('QuotaGranted', {
    userId: 2,
    amount: 5_500_000,
    source: 'topup',
    reference: 'USR2NO5YX3Gq1795394023',
    payment,
    balanceAfter: 6_000_000,
  }),
  ...(['password', 'github', 'oidc', 'wechat', 'telegram', 'linuxdo'] as const).map((method) =>
    anAct('UserLoggedIn', { userId: 2, method, secondFactor: 'recovery-code' }),
  ),
  ...(['logged-out', 'revoked', 'replaced', 'superseded'] as const).map((reason) =>
    anAct('SessionEnded', { userId: 2, sessionId: 's', reason }),
  ),
];

const ofEveryType = entriesOfEveryType();
const everything = [...ofEveryType, ...entriesOf(wider)];
const rowOf = (type: string): AuditRow => {
  const row = everything.find((entry) => entry.type === type);
  if (row === undefined) throw new Error(`no entry of the type ${type}`);
  return row;
};

test('every event type of the trail has an entry here', () => {
  expect([...new Set(ofEveryType.map(({ type }) => type))].sort()).toEqual([...eventTypes].sort());
});

test.each(languages)('an entry describes the change in words and amounts (%s)', (language) => {
  const by = reader(language);
  expect(everything.flatMap((row) => faultsIn(row, by))).toEqual([]);
});

test('every field that an entry holds has a name', () => {
  const held = everything.flatMap(({ changes }) => changes.map(({ field }) => field));
  expect(held.filter((field) => !isFieldName(field))).toEqual([]);
  const secrets = everything.flatMap((row) => row.secrets);
  expect(secrets.filter((field) => !secretNames.some((name) => name === field))).toEqual([]);
});

test('in Chinese no value is shown in the English of the events', () => {
  const lines = everything.flatMap((row) => textsOf(row, chinese)).map(withoutNames);
  const raw = words.filter((word) => lines.some((text) => new RegExp(`\\b${word}\\b`).test(text)));
  expect(raw).toEqual([]);
});

test.each(languages)(
  'a change of a setting names it and its old and new value (%s)',
  (language) => {
    const by = reader(language);
    const labels: Readonly<Record<string, string>> = language === 'en' ? en.setting : zh.setting;
    const rows = entriesOf(settingChanges);
    expect(rows).toHaveLength(settingChanges.length);
    for (const row of rows) {
      const label = labels[`label.${row.subject.id}`];
      if (label !== undefined)
        expect(lineOf(row, by)).toContain(label.replace(/\s*[（(].*[)）]$/, ''));
      expect(changesInShort(row, by), row.subject.id).toHaveLength(1);
      const [{ text } = { text: '' }] = changesInShort(row, by);
      expect(text, row.subject.id).not.toMatch(/\b(true|false|null)\b/);
    }
  },
);

test('every setting that is a number of quota units is shown as money', () => {
  const inUnits = optionKeys.filter((key) => optionTable[key].unit === 'quota');
  expect([...quotaSettings].sort()).toEqual(inUnits.sort());
  const key = 'QuotaForNewUser';
  const [, row] = entriesOf([
    anAct('OptionChanged', { key, value: '250000', previous: null }),
    anAct('OptionChanged', { key, value: '750000', previous: '250000' }),
  ]);
  expect(row && lineOf(row, english)).toBe(
    'root changed the setting Quota of a new user (QuotaForNewUser) · $0.50 → $1.50',
  );
});

test('amounts are first and show the exact value on hover', () => {
  expect(lineOf(rowOf('QuotaAdjusted'), english)).toBe(
    'root adjusted the quota of dave · change: -$199.9996 · balance: $200.00 → $0.0004 · ' +
      'an apology for the outage',
  );
  expect(changesInShort(rowOf('QuotaAdjusted'), english)[1]?.title).toBe(
    'balance: 100,000,000 units, $200.00 → 200 units, $0.0004',
  );
  expect(lineOf(rowOf('TopUpOrdered'), chinese)).toContain('应付：108.00 元 · 额度：$15.00');
});

test('reasons that the product gives are in the language of the reader', () => {
  expect(reasonText(rowOf('SessionEnded'), chinese)).toBe('同一浏览器重新登录');
  expect(reasonText(rowOf('ChannelAutoDisabled'), chinese)).toBe('响应用了 1.25 秒，上限为 1 秒');
  expect(reasonText(rowOf('TopUpExpired'), english)).toBe('the payment provider did not take it');
});

test('lists show what was added and removed, and names are next to ids', () => {
  const entries = entriesOf(wider);
  const channel = entries.find(({ type }) => type === 'ChannelChanged');
  expect(
    channel &&
      diffLines(
        { field: 'models', before: settings.models, after: changed.models },
        channel,
        english,
      ),
  ).toEqual([
    { sign: '-', text: 'gpt-4o-mini' },
    { sign: '+', text: 'claude-4' },
  ]);
  expect(lineOf(rowOf('ChannelCreated'), english)).toContain('type: OpenAI');
  expect(lineOf(rowOf('RedemptionRedeemed'), english)).toBe('dave redeemed the code present');
  const token = entries.find(({ type }) => type === 'TokenChanged');
  expect(token && lineOf(token, english)).toContain('quota left: $0.00 → $5.00');
});

test.each(languages)(
  'what a person does to their own account does not name them twice (%s)',
  (language) => {
    const by = reader(language);
    const dave = { kind: 'user', id: '2', name: 'dave' };
    const byHigherRank = /^User(Promoted|Demoted|Enabled|Disabled)$/;
    const own = ofEveryType
      .filter(({ type }) => !byHigherRank.test(type))
      .filter(({ subject }) => subject.kind === 'user' || subject.kind === 'account')
      .map((row) =>
        sentenceOf({ ...row, actor: dave, subject: { ...row.subject, id: '2' } }, by.t),
      );
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((text) => text.split('dave').length > 2)).toEqual([]);
  },
);

test('their own profile is called so in both languages, and that of another is not', () => {
  const row = rowOf('UserProfileChanged');
  const dave = { kind: 'user', id: row.subject.id, name: 'dave' };
  expect(sentenceOf({ ...row, actor: dave }, english.t)).toBe('dave changed their own profile');
  expect(sentenceOf({ ...row, actor: dave }, chinese.t)).toBe('dave 修改了自己的资料');
  const root = { kind: 'admin', id: '1', name: 'root' };
  expect(sentenceOf({ ...row, actor: root }, english.t)).toBe('root changed the profile of dave');
});
