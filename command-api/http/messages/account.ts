export const accountMessages = {
  'account.not-open': {
    zh: '账户尚未开通，请稍后重试',
    en: 'The account is not open yet, try again',
  },
  'account.invalid-amount': { zh: '额度无效', en: 'The amount is not valid' },
  'account.overflow': { zh: '额度超出上限', en: 'The amount is beyond what an account can hold' },
  'account.balance-exhausted': { zh: '用户额度不足', en: 'The balance is exhausted' },
  'account.token-exhausted': { zh: '令牌额度不足', en: 'The quota of the token is exhausted' },
  'account.not-charged': {
    zh: '该账户没有这些扣费：{id}',
    en: 'The account was not charged for this: {id}',
  },
  'account.refund-exceeds-charge': {
    zh: '退款 {amount} 超过了该扣费尚可退还的额度 {left}',
    en: 'A refund of {amount} is more than the {left} that are left of the charge',
  },
  'account.correction-exceeds-charge': {
    zh: '更正退还 {delta}，超过了所选扣费尚可退还的额度 {left}',
    en: 'A correction of {delta} gives back more than the {left} that are left of these charges',
  },
  'account.reward-exhausted': { zh: '邀请额度不足', en: 'Not enough referral earnings' },
  'account.outcome-uncertain': {
    zh: '请求结果尚不确定，请稍后重试',
    en: 'The outcome of this request is not certain yet, try again',
  },
  'account.lease-closed': {
    zh: '额度租约已关闭',
    en: 'This lease of quota is closed',
  },
  'account.usage-gap': {
    zh: '此前的用量记录尚未结算，请稍后重试',
    en: 'Usage recorded before this is not settled yet, try again',
  },
  'correction.unknown-movement': {
    zh: '该账户没有这些流水：{id}',
    en: 'The account has no such movement: {id}',
  },
  'redemption.already-created': { zh: '兑换码已存在', en: 'The code exists already' },
  'redemption.unknown-code': { zh: '无效的兑换码', en: 'This code is not valid' },
  'redemption.already-used': { zh: '该兑换码已被使用', en: 'This code was used already' },
  'redemption.disabled': { zh: '该兑换码已被禁用', en: 'This code is disabled' },
  'redemption.own-code': {
    zh: '不能兑换自己创建或改过额度的兑换码',
    en: 'You cannot redeem a code that you made or whose quota you set',
  },
  'redemption.account-full': {
    zh: '账户最多还能增加 {room}，该兑换码为 {quota}；兑换码未被使用',
    en: 'The account can take in {room} more and this code brings {quota}; the code was not used',
  },
  'redemption.name-length': {
    zh: '兑换码名称长度必须在 1-{max} 个字符之间',
    en: 'The name must have 1 to {max} characters',
  },
  'redemption.quota-invalid': {
    zh: '兑换码额度必须大于 0',
    en: 'The quota of a code must be above 0',
  },
  'redemption.code-required': { zh: '请输入兑换码！', en: 'Enter a code' },
} as const;
