export const mailMessages = {
  'user.email-domain-not-allowed': {
    zh: '管理员启用了邮箱域名白名单，您的邮箱地址的域名不在白名单中',
    en: 'Addresses of this domain are not accepted',
  },
  'user.email-alias-not-allowed': {
    zh: '管理员已启用邮箱地址别名限制，您的邮箱地址不能包含 + 或 .',
    en: 'The part before the @ must not contain + or .',
  },
  'user.email-taken': { zh: '邮箱地址已被占用', en: 'This e-mail address is taken' },
  'user.email-unknown': { zh: '该邮箱地址未注册', en: 'This e-mail address is not registered' },
  'user.email-code-wrong': {
    zh: '验证码错误或已过期',
    en: 'The verification code is wrong or has expired',
  },
  'user.reset-link-invalid': {
    zh: '重置链接非法或已过期',
    en: 'The reset link is wrong or has expired',
  },
  'mail.not-configured': {
    zh: '管理员尚未配置邮件服务器',
    en: 'The operator has not set up a mail server',
  },
  'mail.not-sent': {
    zh: '邮件发送失败，请稍后重试',
    en: 'The mail could not be sent, try again later',
  },
  'human.token-missing': {
    zh: '请先完成人机验证',
    en: 'Complete the human check first',
  },
  'human.not-proven': {
    zh: '人机验证失败，请刷新重试',
    en: 'The human check failed, reload and try again',
  },
  'human.check-unavailable': {
    zh: '人机验证服务暂时不可用，请稍后重试',
    en: 'The human check does not answer, try again later',
  },
} as const;
