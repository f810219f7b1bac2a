export const tokenMessages = {
  'token.already-created': { zh: '令牌已存在', en: 'The token exists already' },
  'token.expired': {
    zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
    en: 'The token has expired; set a later expiry or none before enabling it',
  },
  'token.exhausted': {
    zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
    en: 'The quota of the token is used up; raise it or make it unlimited before enabling it',
  },
  'token.name-length': {
    zh: '令牌名称长度必须在 1-{max} 个字符之间',
    en: 'The token name must have 1 to {max} characters',
  },
  'token.quota-invalid': {
    zh: '令牌额度必须是不小于 0 的整数',
    en: 'The quota of a token must be a whole number of at least 0',
  },
  'token.expiry-invalid': { zh: '过期时间格式错误！', en: 'The expiry time is not valid' },
  'token.expiry-in-past': { zh: '过期时间不能早于当前时间', en: 'The expiry time is in the past' },
  'token.model-limits-length': { zh: '模型限制列表过长', en: 'The list of models is too long' },
  'token.call-limit-invalid': {
    zh: '令牌的速率限制必须是不小于 1 的整数',
    en: 'A limit of requests, tokens or calls must be a whole number of at least 1',
  },
  'token.group-not-usable': {
    zh: '无权使用分组 {group}',
    en: 'The group {group} is not open to you',
  },
} as const;
