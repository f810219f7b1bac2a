import { ali as facts } from '../../../domain/channel/providers/ali.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { clampedAt } from '../shared/chat-request.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { bearer } from '../shared/outgoing.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';
import { aliError, aliFailure } from './failure.ts';

export const aliBase = facts.baseUrl;

const searchSuffix = '-internet';
/** Open models think by default, and refuse to without a stream. */
const thinksByDefault = /^qwen3-\d+(\.\d+)?b(-a\d+b)?$/;

const withSearch = (body: JsonObject): JsonObject => {
  const { model } = body;
  if (typeof model !== 'string' || !model.endsWith(searchSuffix)) return body;
  return { ...body, model: model.slice(0, -searchSuffix.length), enable_search: true };
};

const chatBody = (body: JsonObject, { call }: TranslationContext): JsonObject => {
  const named = withSearch(body);
  const topP = clampedAt(body, 'top_p', [0.001, 0.999]);
  const mustNotThink =
    !call.isStream &&
    named.enable_thinking === undefined &&
    thinksByDefault.test(String(named.model));
  return {
    ...named,
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(mustNotThink ? { enable_thinking: false } : {}),
  };
};

export const aliHeaders = ({ call, channel }: TranslationContext): Record<string, string> => ({
  ...bearer(channel),
  ...(call.isStream ? { 'x-dashscope-sse': 'enable' } : {}),
  ...(channel.settings.other === '' ? {} : { 'x-dashscope-plugin': channel.settings.other }),
});

/** The endpoint for OpenAI's protocol. */
export const aliChat: TranslatingAdapter = openAiLike({
  operations: ['chat'],
  baseUrl: aliBase,
  path: () => '/compatible-mode/v1/chat/completions',
  headers: aliHeaders,
  body: chatBody,
  streamUsage: 'ask',
  refusal: (body) => ('error' in body || Array.isArray(body.choices) ? null : aliError(body, 200)),
  failure: aliFailure,
});
