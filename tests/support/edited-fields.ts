import type { ChannelSettings } from '../../domain/channel/events.ts';
import type { RedemptionChanged } from '../../domain/redemption/events.ts';
import type { TokenTerms } from '../../domain/token/events.ts';
import type { UserSettings } from '../../domain/user/commands.ts';

/*
 * For each field that a person may edit, a value that the examples do not have. A new field stops
 * the build until it is listed here, and then fails the specs until the edit of it is seen
 * everywhere.
 */

export const otherTerms: Required<TokenTerms> = {
  name: 'server',
  expiredTime: 1_900_000_000,
  unlimitedQuota: true,
  remainQuota: 1_000,
  modelLimitsEnabled: true,
  modelLimits: ['gpt-4o'],
  allowIps: ['192.0.2.9'],
  group: 'vip',
  requestsPerMinute: 60,
  tokensPerMinute: 100_000,
  concurrentRequests: 5,
};

export const otherChannelSettings: Required<ChannelSettings> = {
  type: 43,
  name: 'second',
  models: ['gpt-4o'],
  groups: ['default', 'vip'],
  baseUrl: 'https://upstream.example',
  other: '2024-10-21',
  organization: 'org-1',
  testModel: 'gpt-4o',
  tag: 'blue',
  modelMapping: '{"a":"b"}',
  statusCodeMapping: '{"429":"500"}',
  setting: '{"force_format":true}',
  paramOverride: '{"temperature":0}',
  priority: 3,
  weight: 7,
  autoBan: false,
  maxInputTokens: 4_096,
  costRatio: '0.8',
};

export const otherUserSettings: Required<UserSettings> = {
  notifyType: 'email',
  quotaWarningThreshold: 1,
  webhookUrl: 'https://hooks.example/b',
  webhookSecret: 'sealed:another',
  notificationEmail: 'sealed:ada@example.com',
  acceptUnsetModelRatioModel: true,
};

type CodeTerms = RedemptionChanged['data']['previous'];
export const otherCodeTerms: Required<CodeTerms> = { name: 'summer', quota: 7 };

/** Each field by itself, as `[name, { [name]: another value }]`. */
export const edits = <T extends object>(others: T): readonly (readonly [string, Partial<T>])[] =>
  Object.entries(others).map(([name, value]) => [name, { [name]: value } as Partial<T>]);
