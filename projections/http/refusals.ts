import type { Language } from '../../domain/access/language.ts';

/** Every refusal of the read side, in both languages. */
const messages = {
  'auth.not-signed-in': [
    '未登录或登录已过期，请重新登录！',
    'Not signed in, or the sign-in expired.',
  ],
  'auth.invalid-access-token': ['访问令牌无效。', 'The access token is not valid.'],
  'auth.user-header-missing': ['缺少 New-Api-User 请求头。', 'The header New-Api-User is missing.'],
  'auth.user-header-malformed': [
    'New-Api-User 请求头必须是用户 ID。',
    'The header New-Api-User must be a user id.',
  ],
  'auth.user-header-mismatch': [
    'New-Api-User 请求头与登录用户不一致。',
    'The header New-Api-User names another user than the one signed in.',
  ],
  'auth.banned': ['用户已被封禁。', 'This user is banned.'],
  'auth.second-factor-not-enrolled': [
    '本站要求管理员启用两步验证：请先在个人设置中启用，然后再使用管理功能',
    'This site demands a second factor of administrators: set one up on your personal page first',
  ],
  'auth.not-allowed': ['无权进行此操作，权限不足。', 'You may not do this.'],
  'request.invalid': ['请求参数无效：{detail}', 'The request is not valid: {detail}'],
  'request.malformed': ['请求体不是合法的 JSON。', 'The request body is not valid JSON.'],
  'request.cross-site': [
    '已拒绝来自其他网站页面的请求。',
    'A call from the page of another site is refused.',
  ],
  'request.too-large': ['请求体过大。', 'The body of the request is too large.'],
  'request.range-too-long': ['时间跨度不能超过 31 天。', 'The range may not exceed 31 days.'],
  'user.unknown': ['用户不存在。', 'There is no such user.'],
  'token.unknown': ['令牌不存在。', 'There is no such token.'],
  'channel.unknown': ['渠道不存在。', 'There is no such channel.'],
  'redemption.unknown': ['兑换码不存在。', 'There is no such code.'],
  'dead-letter.unknown': ['没有这条记录。', 'There is no such record.'],
  'projection.unknown': ['没有这个投影：{detail}', 'There is no projection called {detail}.'],
  'projection.busy': [
    '该投影正在重建，或由另一个进程负责，请稍后再试。',
    'It is being rebuilt already, or another process has it. Try again in a moment.',
  ],
  'reprice.usage-invalid': [
    '缓存的令牌数不能超过提示令牌数。',
    'No more tokens can be cached than the prompt has.',
  ],
  'verify.running': ['正在校验，请等待其完成。', 'The books are being verified already.'],
  'verify.unavailable': ['此进程无法校验账本。', 'This process cannot verify the books.'],
  'live.too-many': [
    '实时更新的连接过多，页面将改为定时刷新。',
    'Too many pages follow live; this one asks now and then instead.',
  ],
  'server.unavailable': [
    '数据库暂时不可用，请稍后重试。',
    'The database is away for the moment. Try again soon.',
  ],
  'server.fault': [
    '服务器内部错误，请联系管理员。请求 ID：{detail}',
    'Internal error. Please contact the administrator with request id {detail}.',
  ],
} as const satisfies Record<string, readonly [string, string]>;

export type RefusalCode = keyof typeof messages;

export const refusalBody = (code: RefusalCode, language: Language, detail = '') => {
  const [zh, en] = messages[code];
  const message = (language === 'zh' ? zh : en).replace('{detail}', detail);
  return { success: false as const, code, message };
};

/** Ends a request with a refusal. `status` 401 sends the person to the login page. */
export class RefusedError extends Error {
  readonly code: RefusalCode;
  readonly status: 200 | 401 | 403;
  readonly detail: string;
  constructor(code: RefusalCode, status: 200 | 401 | 403 = 200, detail = '') {
    super(code);
    this.detail = detail;
    this.name = 'RefusedError';
    this.code = code;
    this.status = status;
  }
}
