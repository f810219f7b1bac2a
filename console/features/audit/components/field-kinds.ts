import { grantSources } from '../../../shared/grant-sources.ts';
/** How the value of a field is read. */
export type ValueKind =
  | 'text'
  | 'units'
  | 'money'
  | 'dollars'
  | 'time'
  | 'switch'
  | 'word'
  | 'role'
  | 'list'
  | 'person'
  | 'channel-type'
  | 'payment'
  | 'setting'
  | 'json';

type Field = readonly [
  kind: ValueKind,
  /** Values that mean unset, and the text for them. */
  none?: Readonly<{ value: unknown; text: 'never' | 'no-limit' | 'own-group' | 'default' }>,
];

const noLimit = { value: 0, text: 'no-limit' } as const;

/** Every field that an entry of the trail may hold: of users, keys, channels, codes and orders. */
const fields = {
  name: ['text'],
  status: ['word'],
  group: ['text', { value: '', text: 'own-group' }],
  groups: ['list'],
  balance: ['units'],
  quota: ['units'],
  delta: ['units'],
  amount: ['units'],
  seen: ['units'],
  bonusQuota: ['units'],
  remainQuota: ['units'],
  quotaWarningThreshold: ['units'],
  dollars: ['dollars'],
  payable: ['money'],
  paid: ['money'],
  payment: ['payment'],
  type: ['channel-type'],
  models: ['list'],
  baseUrl: ['text', { value: '', text: 'default' }],
  other: ['text'],
  organization: ['text'],
  testModel: ['text', { value: '', text: 'default' }],
  tag: ['text'],
  modelMapping: ['json'],
  statusCodeMapping: ['json'],
  setting: ['json'],
  paramOverride: ['json'],
  priority: ['text'],
  weight: ['text'],
  autoBan: ['switch'],
  maxInputTokens: ['text', noLimit],
  costRatio: ['text'],
  expiredTime: ['time', { value: -1, text: 'never' }],
  unlimitedQuota: ['switch'],
  modelLimitsEnabled: ['switch'],
  modelLimits: ['list'],
  allowIps: ['list'],
  requestsPerMinute: ['text', noLimit],
  tokensPerMinute: ['text', noLimit],
  concurrentRequests: ['text', noLimit],
  username: ['text'],
  role: ['role'],
  inviterId: ['person'],
  rootUserId: ['person'],
  redeemedBy: ['person'],
  selfUseMode: ['switch'],
  demoSite: ['switch'],
  notifyType: ['word'],
  acceptUnsetModelRatioModel: ['switch'],
  method: ['word'],
  secondFactor: ['word'],
  purpose: ['word'],
  provider: ['word'],
  source: ['word'],
  late: ['switch'],
  reason: ['word'],
  count: ['text'],
  before: ['time'],
  because: ['setting'],
  providerReference: ['text'],
  creditedReference: ['text'],
  reference: ['text'],
  requestId: ['text'],
  tokenId: ['text'],
  corrects: ['list'],
  value: ['text', { value: null, text: 'default' }],
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof fields;

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(fields, name);

export const fieldOf = (name: string): Field => (isFieldName(name) ? fields[name] : ['text']);

/** What was changed, and is never shown. */
export const secretNames = [
  'key',
  'code',
  'value',
  'password',
  'accessToken',
  'displayName',
  'email',
  'identity',
  'address',
  'authenticator',
  'recoveryCodes',
  'passkeyName',
  'webhookUrl',
  'webhookSecret',
  'notificationEmail',
] as const;

/** Symbolic values, as events write them. */
export const words = [
  'enabled',
  'disabled',
  'auto-disabled',
  'active',
  'banned',
  'unused',
  'used',
  'pending',
  'paid',
  'expired',
  'password',
  'password-change',
  'email',
  'webhook',
  'github',
  'oidc',
  'wechat',
  'telegram',
  'linuxdo',
  'totp',
  'passkey',
  'recovery-code',
  'sign-in',
  'confirmation',
  'lantu',
  'epay',
  'qr',
  'h5',
  'wxpay',
  'alipay',
  'notification',
  'query',
  'logged-out',
  'revoked',
  'replaced',
  'superseded',
  'time',
  'not-offered',
  ...grantSources,
] as const;
