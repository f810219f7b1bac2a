/** What the server says of a token; quota in units, times in Unix seconds. */
export const aTokenRow = {
  id: 3,
  user_id: 7,
  key: 'abcd'.repeat(12),
  name: 'web',
  status: 1,
  created_time: 1_700_000_000,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 1_000_000,
  used_quota: 250_000,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  DeletedAt: null,
};
