import { baiduV2 as facts } from '../../../domain/channel/providers/baidu-v2.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';

const searchSuffix = '-search';
const search = {
  enable: true,
  enable_citation: true,
  enable_trace: true,
  enable_status: false,
} as const;

/** A second part of the key names the app. */
const headers = ({ channel }: TranslationContext): Readonly<Record<string, string>> => {
  const [key = '', appId = '', ...more] = channel.key.split('|').map((part) => part.trim());
  if (key === '' || more.length > 0) {
    return refuse(configurationError('The key of the channel must have the form key or key|appid'));
  }
  const authorization = `Bearer ${key}`;
  return appId === '' ? { authorization } : { authorization, appid: appId };
};

const body = (own: JsonObject): JsonObject => {
  const { model } = own;
  if (typeof model !== 'string' || !model.endsWith(searchSuffix)) return own;
  const name = model.slice(0, -searchSuffix.length);
  return { ...own, model: name, web_search: own.web_search ?? search };
};

/** Baidu Qianfan, the second generation (type 46). */
export const baiduV2: TranslatingAdapter = openAiLike({
  operations: ['chat', 'embeddings', 'images', 'rerank'],
  baseUrl: facts.baseUrl,
  path: ({ call }) => call.path.replace(/^\/v1\//, '/v2/'),
  headers,
  body,
  streamUsage: 'ask',
});
