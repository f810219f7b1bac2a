export const requestMessages = {
  'request.invalid': { zh: '无效的参数', en: 'Invalid parameters' },
  'request.too-many': { zh: '请求过于频繁，请稍后再试', en: 'Too many requests, try again later' },
  'request.not-json': {
    zh: '请以 application/json 格式发送此请求',
    en: 'Send this request as application/json',
  },
  'request.idempotency-conflict': {
    zh: '该幂等键已用于另一个请求',
    en: 'This idempotency key was used for another request',
  },
  'request.expired': {
    zh: '请求处理超时，请重试',
    en: 'The request took too long and was given up; try again',
  },
  'system.fault': {
    zh: '内部错误，请联系管理员',
    en: 'Internal server error, contact the administrator',
  },
  'system.unavailable': {
    zh: '服务暂时不可用，请稍后再试',
    en: 'The service is not available right now, try again later',
  },
  'auth.password-login-off': {
    zh: '管理员关闭了密码登录',
    en: 'Signing in by password is switched off',
  },
  'auth.wrong-credentials': {
    zh: '用户名或密码错误，或用户已被封禁',
    en: 'Wrong user name or password, or the user is banned',
  },
  'auth.too-many-attempts': {
    zh: '尝试次数过多，请稍后再试',
    en: 'Too many attempts, try again later',
  },
} as const;
