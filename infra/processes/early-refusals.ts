import type { ServerResponse } from 'node:http';
import { type Language, languageOf } from '../../domain/access/language.ts';
import { hasUnreadBody } from '../web/unread-body.ts';

/** Refusals of a console server before any route is matched. */
const answers = {
  'control.unavailable': {
    status: 503,
    headers: { 'retry-after': '1' },
    zh: '控制台正在启动或重启，请稍后重试。',
    en: 'The console is starting or restarting; try again in a moment.',
  },
  'request.no-memory': {
    status: 503,
    headers: { 'retry-after': '1' },
    zh: '服务器正在处理的请求过多，请稍后重试。',
    en: 'The server holds as many requests as it can; try again in a moment.',
  },
  'request.too-slow': {
    status: 408,
    headers: {},
    zh: '请求体没有在规定时间内传完。',
    en: 'The body of the request did not arrive in time.',
  },
  'request.malformed': {
    status: 400,
    headers: {},
    zh: '请求格式不正确。',
    en: 'The request is malformed.',
  },
} as const;

export type EarlyRefusal = keyof typeof answers;

/** A refusal in the console's envelope. */
export const refusalOf = (code: EarlyRefusal, language: Language) => {
  const { status, headers, ...messages } = answers[code];
  return { status, headers, body: { success: false, code, message: messages[language] } };
};

/** Answers with it, unless an answer has begun. */
export const refuseEarly = (res: ServerResponse, code: EarlyRefusal): void => {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const { status, headers, body } = refusalOf(code, languageOf(res.req.headers['accept-language']));
  const text = JSON.stringify(body);
  res.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    // A body that was not read to its end cannot be followed by another request.
    ...(hasUnreadBody(res.req) ? { connection: 'close' } : {}),
  });
  res.end(text);
};
