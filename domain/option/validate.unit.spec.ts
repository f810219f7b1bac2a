import { describe, expect, test } from 'vitest';
import { compilePrices } from '../pricing/compile-prices.ts';
import { effectiveOptions, optionIsOn, optionList, optionNumber, optionText } from './read.ts';
import { defaultOptions, isOptionKey, isSecretOption, optionKeys, optionTable } from './table.ts';
import { validateOption } from './validate.ts';

describe('the table of options', () => {
  test('has a default for every option that is no secret, in its stored form', () => {
    for (const [key, value] of defaultOptions()) {
      expect([key, validateOption(key, value)]).toEqual([key, { ok: true, value }]);
    }
  });

  test('keeps these secret and no others', () => {
    expect(optionKeys.filter(isSecretOption).sort()).toEqual([
      'EpayKey',
      'GitHubClientSecret',
      'LantuSecretKey',
      'LemonApiKey',
      'LemonWebhookSecret',
      'LinuxDOClientSecret',
      'SMTPToken',
      'TelegramBotToken',
      'TurnstileSecretKey',
      'WeChatServerToken',
      'WorkerValidKey',
      'oidc.client_secret',
    ]);
  });

  test('leaves no secret to admins', () => {
    for (const key of optionKeys.filter(isSecretOption)) {
      expect([key, optionTable[key].writer]).toEqual([key, 100]);
    }
  });

  test('has every option that another one needs', () => {
    for (const key of optionKeys) {
      const definition = optionTable[key];
      if (definition.kind !== 'bool' || definition.needs === undefined) continue;
      expect(isOptionKey(definition.needs)).toBe(true);
    }
  });

  test('feeds the prices the same defaults as they have themselves', () => {
    const { quotes: _ofNone, ...plain } = compilePrices(new Map());
    const { quotes: _ofAll, ...fromOptions } = compilePrices(defaultOptions());
    expect(fromOptions).toEqual(plain);
  });

  test('names the product Tollgate until the operator names it', () => {
    expect(optionText(new Map(), 'SystemName')).toBe('Tollgate');
    expect(effectiveOptions(new Map([['SystemName', 'Ours']])).get('SystemName')).toBe('Ours');
    expect(optionIsOn(new Map(), 'RegisterEnabled')).toBe(true);
    expect(optionNumber(new Map(), 'QuotaPerUnit')).toBe(500_000);
  });

  test('reads lists entry by entry', () => {
    const words = new Map([['SensitiveWords', 'a, b\n\nc']]);
    expect(optionList(words, 'SensitiveWords')).toEqual(['a, b', 'c']);
    expect(optionList(new Map(), 'EmailDomainWhitelist')).toContain('163.com');
  });
});

describe('an option value', () => {
  test.each([
    ['RegisterEnabled', 'TRUE', 'true'],
    ['RetryTimes', '007', '7'],
    ['Price', '7.30', '7.3'],
    ['QuotaPerUnit', '5e5', '500000'],
    ['ServerAddress', 'https://gate.example/', 'https://gate.example'],
    ['PayAddress', '', ''],
    ['PayAddress', 'https://pay.example/gateway/', 'https://pay.example/gateway'],
    ['ServerAddress', 'http://[::1]:3000', 'http://[::1]:3000'],
    ['ServerAddress', 'http://localhost:3000', 'http://localhost:3000'],
    ['ServerAddress', 'https://网关.example', 'https://网关.example'],
    ['WorkerUrl', 'http://my_worker:8080/run', 'http://my_worker:8080/run'],
    ['general_setting.docs_link', 'https://d.example/a?b=c#d', 'https://d.example/a?b=c#d'],
    ['SMTPServer', 'smtp.example.com', 'smtp.example.com'],
    ['SMTPServer', '::1', '::1'],
    ['SMTPFrom', 'desk@example.com', 'desk@example.com'],
    ['EmailDomainWhitelist', 'Example.com, b.example,,example.com', 'example.com,b.example'],
    ['SensitiveWords', ' One \r\n\nTWO\none', 'one\ntwo'],
    ['ModelRatio', '{ "a" : 1.50 }', '{"a":1.5}'],
    ['Chats', '[ {"A": "a://{key}"} ]', '[{"A":"a://{key}"}]'],
    ['ModelRequestRateLimitGroup', '{"vip":[0,1]}', '{"vip":[0,1]}'],
    ['ModelRequestRateLimitCount', '-1', '-1'],
    [
      'call_limits.users',
      '{ "*": {"requests_per_minute": 60}, "group:vip": {"tokens_per_minute": 9}, "7": {"concurrent_requests": 1} }',
      '{"7":{"concurrent_requests":1},"*":{"requests_per_minute":60},"group:vip":{"tokens_per_minute":9}}',
    ],
    [
      'call_limits.models',
      '{"gpt-4o":{"requests_per_minute":1}}',
      '{"gpt-4o":{"requests_per_minute":1}}',
    ],
    ['claude.model_headers_settings', '{"m":{"h":["v"]}}', '{"m":{"h":["v"]}}'],
    ['DataExportDefaultTime', 'week', 'week'],
  ])('%s %j is kept as %j', (key, value, kept) => {
    expect(validateOption(key, value)).toEqual({ ok: true, value: kept });
  });

  test.each([
    ['Colour', 'red', 'option.unknown'],
    ['toString', 'x', 'option.unknown'],
    ['RegisterEnabled', 'yes', 'option.not-a-switch'],
    ['RetryTimes', '', 'option.not-a-number'],
    ['RetryTimes', 'many', 'option.not-a-number'],
    ['RetryTimes', '1.5', 'option.not-whole'],
    ['RetryTimes', '-1', 'option.out-of-range'],
    ['QuotaPerUnit', '0', 'option.out-of-range'],
    ['ModelRequestRateLimitSuccessCount', '0', 'option.out-of-range'],
    ['claude.thinking_adapter_budget_tokens_percentage', '0.05', 'option.out-of-range'],
    ['gemini.thinking_adapter_budget_tokens_percentage', '1.1', 'option.out-of-range'],
    ['general_setting.ping_interval_seconds', '0', 'option.out-of-range'],
    ['SystemName', 'x'.repeat(1001), 'option.too-long'],
    ['Notice', 'x'.repeat(1_000_001), 'option.too-long'],
    ['oidc.well_known', 'ftp://x.example', 'option.not-an-address'],
    ['ServerAddress', 'gate.example', 'option.not-an-address'],
    ['ServerAddress', 'http://127.0.0.1:4300x', 'option.port-invalid'],
    ['ServerAddress', 'http://gate.example:0', 'option.port-invalid'],
    ['ServerAddress', 'http://gate.example:65536', 'option.port-invalid'],
    ['ServerAddress', 'http://gate.example:', 'option.port-invalid'],
    ['ServerAddress', 'http://a:b@gate.example', 'option.address-with-login'],
    ['ServerAddress', 'https://gate.example/console', 'option.not-an-origin'],
    ['ServerAddress', 'https://gate.example?x=1', 'option.not-an-origin'],
    ['ServerAddress', 'http://', 'option.not-an-address'],
    ['ServerAddress', 'http://gate..example', 'option.not-an-address'],
    ['ServerAddress', 'http://-gate.example', 'option.not-an-address'],
    ['ServerAddress', 'http://1.2.3.400', 'option.not-an-address'],
    ['ServerAddress', 'http://gate.example\\@evil.example', 'option.not-an-origin'],
    ['ServerAddress', 'https://[::1', 'option.not-an-address'],
    ['ServerAddress', 'https://gate example', 'option.not-an-address'],
    ['PayAddress', 'https://pay.example/submit?x=1', 'option.not-a-base'],
    ['WorkerUrl', 'https://user:pass@worker.example', 'option.address-with-login'],
    ['SMTPServer', 'smtp://smtp.example.com', 'option.not-a-host'],
    ['SMTPServer', 'https://smtp.example.com', 'option.not-a-host'],
    ['SMTPServer', 'smtp.example.com:587', 'option.not-a-host'],
    ['SMTPServer', 'smtp.example.com/', 'option.not-a-host'],
    ['SMTPFrom', 'noreply', 'option.not-a-mailbox'],
    ['SMTPFrom', 'Desk <desk@example.com>', 'option.not-a-mailbox'],
    ['DataExportDefaultTime', 'year', 'option.not-a-choice'],
    ['EmailDomainWhitelist', 'example.com,not a domain', 'option.not-a-domain'],
    ['ModelRatio', '', 'option.not-json'],
    ['ModelRatio', '{"a":1', 'option.not-json'],
    ['ModelRatio', '[]', 'option.wrong-shape'],
    ['GroupRatio', '{"vip":-1}', 'option.wrong-shape'],
    ['ModelPrice', '{"a":"1"}', 'option.wrong-shape'],
    ['ModelPrice', '{"":1}', 'option.wrong-shape'],
    ['UserUsableGroups', '{"vip":1}', 'option.wrong-shape'],
    ['Chats', '[{"A":"a","B":"b"}]', 'option.wrong-shape'],
    ['Chats', '{}', 'option.wrong-shape'],
    ['ModelRequestRateLimitGroup', '{"vip":[0,0]}', 'option.wrong-shape'],
    ['call_limits.users', '{"vip":{"requests_per_minute":1}}', 'option.wrong-shape'],
    ['call_limits.users', '{"group:":{"requests_per_minute":1}}', 'option.wrong-shape'],
    ['call_limits.users', '[]', 'option.wrong-shape'],
    ['call_limits.groups', '{"vip":{}}', 'option.wrong-shape'],
    ['call_limits.groups', '{"vip":{"requests":1}}', 'option.wrong-shape'],
    ['call_limits.groups', '{"vip":60}', 'option.wrong-shape'],
    ['call_limits.models', '{"m":{"tokens_per_minute":0}}', 'option.wrong-shape'],
    ['call_limits.models', '{"m":{"tokens_per_minute":1.5}}', 'option.wrong-shape'],
    ['claude.default_max_tokens', '{"default":0}', 'option.wrong-shape'],
    ['SMTPToken', 'letmein', 'option.secret'],
  ])('%s %.20j is refused', (key, value, code) => {
    expect(validateOption(key, value)).toMatchObject({ ok: false, code });
  });

  test('that does not fit is named by its place', () => {
    expect(validateOption('GroupRatio', '{"vip":1,"svip":-1}')).toMatchObject({
      details: { place: 'svip' },
    });
  });
});
