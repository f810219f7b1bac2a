import type { MarginOverview } from '../../projections/contract/margin.ts';
import type { UsageOverview } from '../../projections/contract/overview.ts';
import { ok } from './stub-api.ts';
import { aTokenRow } from './token-examples.ts';

export const hour = 1_700_000_000 - (1_700_000_000 % 3600);
export const day = 86_400;
const aRow = (model_name: string, count: number, quota: number) => ({
  id: 0,
  user_id: 0,
  username: '',
  model_name,
  created_at: hour,
  token_used: quota,
  count,
  quota,
});
const rows = ok([aRow('gpt-4o', 3, 1_000_000), aRow('gpt-4o-mini', 9, 250_000)]);
const self = ok({ quota: 5_000_000, used_quota: 1_250_000, request_count: 12 });

const figures = {
  start: hour,
  end: hour + day - 1,
  tokens: 900,
  calls: 1_200,
  errors: 3,
  quota: 1_000_000,
  median_ms: 840,
  p95_ms: 12_340,
  first_token_ms: 210,
};
const overview: UsageOverview = {
  current: figures,
  previous: { ...figures, calls: 1_000, errors: 0, quota: 2_000_000, median_ms: 1_680 },
  points: [
    { at: hour, calls: 3, errors: 0, quota: 10, median_ms: 800, first_token_ms: null },
    { at: hour + 3600, calls: 0, errors: 0, quota: 0, median_ms: null, first_token_ms: null },
  ],
  models: [{ id: 0, name: 'gpt-4o', calls: 3, errors: 0, quota: 1_000_000, tokens: 10 }],
  tokens: [{ id: 3, name: 'web', calls: 3, errors: 0, quota: 1_000_000, tokens: 10 }],
  users: [{ id: 7, name: 'ada', calls: 3, errors: 0, quota: 1_000_000, tokens: 10 }],
};
export const aFailedCall = {
  id: 9,
  user_id: 7,
  created_at: hour,
  type: 5,
  content: 'upstream said no',
  username: 'ada',
  token_name: 'web',
  token_id: 3,
  model_name: 'gpt-4o',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time: 1,
  duration_ms: 1_000,
  is_stream: false,
  channel: 0,
  channel_name: '',
  group: 'default',
  request_id: 'r-9',
  other: '',
};
export const health = [
  {
    id: 4,
    name: 'main',
    calls: 75,
    errors: 25,
    quota: 10,
    median_ms: 900,
    p95_ms: 2_000,
    first_token_ms: null,
    cooling_until: 0,
    hours: [
      { at: hour - 3_600, calls: 10, errors: 0, median_ms: 400 },
      { at: hour, calls: 75, errors: 25, median_ms: 900 },
    ],
  },
];
const marginOf = (changes: Partial<MarginOverview['current']>) => ({
  calls: 0,
  revenue: 0,
  cost: null,
  margin: null,
  costed_revenue: 0,
  uncosted_calls: 0,
  ...changes,
});
const span = { start: hour, end: hour + day - 1 };
const noMargin: MarginOverview = {
  current: { ...span, ...marginOf({}) },
  previous: { ...span, ...marginOf({}) },
  channels: [],
};
const failures = ok({ items: [aFailedCall], page: 1, page_size: 5, total: 1 });
/** The requests of the dashboard. */
export const served = {
  'GET /api/data/': rows,
  'GET /api/data/self': rows,
  'GET /api/data/overview': ok(overview),
  'GET /api/data/self/overview': ok({ ...overview, users: [] }),
  'GET /api/data/channels': ok(health),
  'GET /api/data/margin': ok(noMargin),
  'GET /api/channel/': ok([]),
  'GET /api/log/': failures,
  'GET /api/log/self': failures,
  'GET /api/token/': ok([
    { ...aTokenRow, id: 3, name: 'web', unlimited_quota: false, remain_quota: 3_000_000 },
    { ...aTokenRow, id: 5, name: 'spare', unlimited_quota: false, remain_quota: 100 },
    { ...aTokenRow, id: 6, name: 'open', unlimited_quota: true },
  ]),
  'GET /api/user/self': self,
  'GET /api/ledger/self/balances': ok([
    { at: hour, balance: 5_250_000 },
    { at: hour + 60, balance: 5_000_000 },
  ]),
};
