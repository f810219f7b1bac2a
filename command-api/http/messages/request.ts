export const requestMessages = {
  'request.invalid': { zh: '无效的参数', en: 'Invalid parameters' },
  'request.malformed': { zh: '请求体不是合法的 JSON', en: 'The request body is not valid JSON' },
  'request.too-large': { zh: '请求体过大', en: 'The request body is too large' },
  'request.too-many': { zh: '请求过于频繁，请稍后再试', en: 'Too many requests, try again later' },
  'request.cross-site': {
    zh: '已拒绝来自其他网站页面的请求',
    en: 'A call from the page of another site is refused',
  },
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
  'auth.not-signed-in': {
    zh: '未登录或登录已过期，请重新登录！',
    en: 'Not signed in, or the session is over. Sign in again.',
  },
  'auth.user-header-missing': {
    zh: '请求头缺少 New-Api-User',
    en: 'The header New-Api-User is missing',
  },
  'auth.user-header-malformed': {
    zh: '请求头 New-Api-User 应为用户编号',
    en: 'The header New-Api-User must be a user id',
  },
  'auth.user-header-mismatch': {
    zh: '请求头 New-Api-User 与登录用户不一致',
    en: 'The header New-Api-User names another user than the one signed in',
  },
  'auth.invalid-access-token': { zh: '访问令牌无效', en: 'The access token is not valid' },
  'auth.banned': { zh: '用户已被封禁', en: 'This user is banned' },
  'auth.not-allowed': { zh: '无权进行此操作，权限不足', en: 'You are not allowed to do this' },
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
