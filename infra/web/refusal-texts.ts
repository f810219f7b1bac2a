import type { Language } from '../../domain/access/language.ts';

export type BilingualText = Readonly<Record<Language, string>>;

/** Refusals over HTTP that more than one room gives. */
export const sharedRefusalTexts = {
  'request.malformed': { zh: '请求体不是合法的 JSON', en: 'The request body is not valid JSON' },
  'request.too-large': { zh: '请求体过大', en: 'The request body is too large' },
  'request.cross-site': {
    zh: '已拒绝来自其他网站页面的请求',
    en: 'A call from the page of another site is refused',
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
  'auth.second-factor-not-enrolled': {
    zh: '本站要求管理员启用两步验证：请先在个人设置中启用，然后再使用管理功能',
    en: 'This site demands a second factor of administrators: set one up on your personal page first',
  },
  'user.unknown': { zh: '用户不存在', en: 'There is no such user' },
  'token.unknown': { zh: '令牌不存在', en: 'There is no such token' },
  'channel.unknown': { zh: '渠道不存在', en: 'There is no such channel' },
} as const satisfies Readonly<Record<string, BilingualText>>;
