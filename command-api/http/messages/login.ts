export const loginMessages = {
  'login.state-invalid': {
    zh: '登录状态无效、已过期或不属于此浏览器，请重新登录',
    en: 'state is empty or not same',
  },
  'login.foreign-page': {
    zh: '请从本站的登录页面登录',
    en: 'Sign in from the login page of this site',
  },
  'login.provider-off': {
    zh: '管理员未开启通过 {provider} 登录以及注册',
    en: 'Signing in by {provider} is switched off',
  },
  'login.wechat-off': {
    zh: '管理员未开启通过微信登录以及注册',
    en: 'Signing in by WeChat is switched off',
  },
  'login.not-configured': {
    zh: '管理员尚未正确配置 {provider} 登录',
    en: 'The operator has not set up {provider} correctly',
  },
  'login.code-missing': { zh: '无效的参数', en: 'Invalid parameters: the code is missing' },
  'login.provider-refused': {
    zh: '登录服务拒绝了请求：{reason}',
    en: 'The login provider refused: {reason}',
  },
  'login.unreachable': {
    zh: '无法连接至 {provider} 服务器，请稍后重试！',
    en: 'The server of {provider} does not answer, try again later',
  },
  'login.token-failed': {
    zh: '{provider} 获取 Token 失败，请检查设置！',
    en: '{provider} did not accept the login, check the settings',
  },
  'login.profile-failed': {
    zh: '{provider} 获取用户信息失败！请检查设置！',
    en: '{provider} did not say who you are, check the settings',
  },
  'login.profile-empty': {
    zh: '{provider} 获取用户信息为空！请检查设置！',
    en: '{provider} gave no id or no e-mail address, check the settings',
  },
  'login.github-profile-empty': {
    zh: '返回值非法，用户字段为空，请稍后重试！',
    en: 'GitHub gave no user, try again later',
  },
  'login.identity-taken': {
    zh: '该 {provider} 账户已被绑定',
    en: 'This {provider} account is bound to somebody already',
  },
  'login.wechat-taken': {
    zh: '该微信账号已被绑定',
    en: 'This WeChat account is bound to another user already',
  },
  'login.wechat-code-wrong': {
    zh: '验证码错误或已过期',
    en: 'The verification code is wrong or has expired',
  },
  'login.telegram-invalid': { zh: '无效的请求', en: 'Telegram did not sign this, or long ago' },
  'login.telegram-unbound': {
    zh: '该 Telegram 账户未绑定',
    en: 'This Telegram account is not bound to anybody',
  },
  'login.discovery-failed': {
    zh: '获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确',
    en: 'The OIDC settings could not be fetched, check the network and the discovery address',
  },
  'user.last-way-in': {
    zh: '这是您唯一的登录方式，请先设置密码或绑定其他账户',
    en: 'This is your only way to sign in; set a password or bind another account first',
  },
} as const;
