import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { TextCall } from '../../protocol/calls.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { textAt } from '../../protocol/json.ts';
import type { AdapterOptions } from '../types.ts';
import { channelSetting } from './outgoing.ts';

/** Where the site's own switch counts. */
const passedBySite: ReadonlySet<string> = new Set(['chat', 'completions', 'moderations']);

/** The caller's body is sent unchanged: address and headers alone are the channel's. */
export const passesBody = (
  { operation, protocol }: Pick<TextCall, 'operation' | 'protocol'>,
  channel: UpstreamChannel,
  options: Pick<AdapterOptions, 'passesBodies'>,
): boolean => {
  if (options.passesBodies && protocol === 'openai' && passedBySite.has(operation)) return true;
  if (channel.settings.setting === '') return false;
  return channelSetting(channel).pass_through_body_enabled === true;
};

export type SystemPrompt = Readonly<{
  text: string;
  /** It precedes a caller's own instructions; otherwise those are sent alone. */
  isForced: boolean;
}>;

/** The operator's words before every conversation of a channel; null: there are none. */
export const systemPromptOf = (channel: UpstreamChannel): SystemPrompt | null => {
  if (channel.settings.setting === '') return null;
  const setting = channelSetting(channel);
  const text = textAt(setting, 'system_prompt').trim();
  return text === '' ? null : { text, isForced: setting.system_prompt_override === true };
};

/** How the operator's and the caller's instructions are joined; null: as the caller's are. */
export const joinedSystem = (
  { text, isForced }: SystemPrompt,
  own: string | readonly unknown[] | null,
): string | readonly unknown[] | null => {
  if (own === null || own.length === 0) return text;
  if (!isForced) return null;
  return typeof own === 'string' ? `${text}\n${own}` : [{ type: 'text', text }, ...own];
};

const isSystem = (message: unknown): message is JsonObject =>
  typeof message === 'object' &&
  message !== null &&
  'role' in message &&
  (message.role === 'system' || message.role === 'developer');

const contentOf = ({ content }: JsonObject): string | readonly unknown[] | null =>
  typeof content === 'string' || Array.isArray(content) ? content : null;

/** A chat in OpenAI's shape with the operator's words in it. */
export const withSystemPrompt = (body: JsonObject, channel: UpstreamChannel): JsonObject => {
  const prompt = systemPromptOf(channel);
  if (prompt === null || !Array.isArray(body.messages)) return body;
  const messages: readonly unknown[] = body.messages;
  const first = messages.findIndex(isSystem);
  const known = messages[first];
  if (!isSystem(known)) {
    return { ...body, messages: [{ role: 'system', content: prompt.text }, ...messages] };
  }
  const content = joinedSystem(prompt, contentOf(known));
  if (content === null) return body;
  return { ...body, messages: messages.with(first, { ...known, content }) };
};
