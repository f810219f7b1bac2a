import type { Language } from '../../domain/access/language.ts';
import { type BilingualText, sharedRefusalTexts } from '../../infra/web/refusal-texts.ts';

/** Every refusal of the read side. */
const messages = {
  ...sharedRefusalTexts,
  'request.invalid': { zh: '请求参数无效：{detail}', en: 'The request is not valid: {detail}' },
  'request.range-too-long': {
    zh: '时间跨度不能超过 31 天',
    en: 'The range may not exceed 31 days',
  },
  'redemption.unknown': { zh: '兑换码不存在', en: 'There is no such code' },
  'dead-letter.unknown': { zh: '没有这条记录', en: 'There is no such record' },
  'projection.unknown': {
    zh: '没有这个投影：{detail}',
    en: 'There is no projection called {detail}',
  },
  'projection.busy': {
    zh: '该投影正在重建，或由另一个进程负责，请稍后再试',
    en: 'It is being rebuilt already, or another process has it. Try again in a moment.',
  },
  'reprice.usage-invalid': {
    zh: '缓存的令牌数不能超过提示令牌数',
    en: 'No more tokens can be cached than the prompt has',
  },
  'verify.running': {
    zh: '正在校验，请等待其完成',
    en: 'The books are being verified already',
  },
  'verify.unavailable': {
    zh: '此进程无法校验账本',
    en: 'This process cannot verify the books',
  },
  'live.too-many': {
    zh: '实时更新的连接过多，页面将改为定时刷新',
    en: 'Too many pages follow live; this one asks now and then instead',
  },
  'server.unavailable': {
    zh: '数据库暂时不可用，请稍后重试',
    en: 'The database is away for the moment. Try again soon.',
  },
  'server.fault': {
    zh: '服务器内部错误，请联系管理员。请求 ID：{detail}',
    en: 'Internal error. Please contact the administrator with request id {detail}.',
  },
} as const satisfies Readonly<Record<string, BilingualText>>;

export type RefusalCode = keyof typeof messages;

export const refusalBody = (code: RefusalCode, language: Language, detail = '') => {
  const message = messages[code][language].replace('{detail}', detail);
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
