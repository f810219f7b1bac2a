export const topUpMessages = {
  'topup.invalid-request': { zh: '参数错误', en: 'The request is not valid' },
  'topup.invalid-amount': { zh: '参数错误', en: 'The amount is not valid' },
  'topup.below-minimum': {
    zh: '充值数量不能小于{min}',
    en: 'The amount must be at least {min}',
  },
  'topup.too-cheap': { zh: '充值金额过低', en: 'The sum to pay is too small' },
  'topup.too-much': { zh: '充值数量过大', en: 'The amount is too large' },
  'topup.account-full': {
    zh: '账户最多还能增加 {room}，该订单为 {quota}；订单未创建',
    en: 'The account can take in {room} more and this order brings {quota}; no order was made',
  },
  'topup.not-configured': {
    zh: '当前管理员未配置支付信息',
    en: 'The operator has not set up this kind of payment',
  },
  'topup.not-created': { zh: '创建订单失败', en: 'The order could not be placed' },
  'topup.already-ordered': { zh: '创建订单失败', en: 'The order could not be placed' },
  'topup.provider-refused': { zh: '创建支付失败：{reason}', en: 'The payment failed: {reason}' },
  'topup.provider-unavailable': {
    zh: '创建支付失败',
    en: 'The payment provider does not answer, try again',
  },
  'topup.unknown-order': { zh: '订单不存在', en: 'There is no such order' },
  'topup.wrong-provider': {
    zh: '支付渠道与订单不符',
    en: 'The order is paid through another provider',
  },
  'topup.wrong-amount': { zh: '支付金额与订单不符', en: 'The sum is not that of the order' },
} as const;
