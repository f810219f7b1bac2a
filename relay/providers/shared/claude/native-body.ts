import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import type { TextCall } from '../../../protocol/calls.ts';
import { parseJson } from '../../../protocol/json.ts';
import { type Member, scanMembers } from '../../../protocol/scan-body.ts';
import { valueText } from '../../../protocol/splice.ts';
import type { AdapterOptions } from '../../types.ts';
import { withMembers, withOverride, withoutMembers } from '../byte-overrides.ts';
import { joinedSystem, passesBody, systemPromptOf } from '../channel-settings.ts';
import { withoutForeignThoughts } from './own-thoughts.ts';
import { enabledThinking, minWithThinking, thinkingSuffix } from './plan.ts';

type Terms = Readonly<{ channel: UpstreamChannel; options: AdapterOptions }>;

/** The name without the suffix that requests thinking. */
export const nativeClaudeModel = (upstreamModel: string, { families }: AdapterOptions): string =>
  families.claude.thinkingAdapter && upstreamModel.endsWith(thinkingSuffix)
    ? upstreamModel.slice(0, -thinkingSuffix.length)
    : upstreamModel;

const limitOf = (call: TextCall, model: string, { families }: AdapterOptions): number => {
  const member = call.scan.members.max_tokens;
  const asked = member === undefined ? 0 : Number(valueText(call.body, member));
  const limits = families.claude.defaultMaxTokens;
  return asked > 0 ? asked : (limits[model] ?? limits.default ?? 8_192);
};

type Changes = { set: Map<string, string>; remove: string[] };

/** Filled in only where the caller has not set his own. */
const think = (
  changes: Changes,
  model: string,
  { limit, share }: Record<'limit' | 'share', number>,
) => {
  const maxTokens = Math.max(limit, minWithThinking);
  const thinking = enabledThinking(model, Math.trunc(maxTokens * share));
  changes.set.set('max_tokens', String(maxTokens)).set('thinking', JSON.stringify(thinking));
  changes.remove.push('top_p', 'top_k');
  if (thinking.type === 'adaptive') changes.remove.push('temperature');
  else changes.set.set('temperature', '1');
};

const instruct = (changes: Changes, body: Buffer, channel: UpstreamChannel): void => {
  const prompt = systemPromptOf(channel);
  if (prompt === null) return;
  const member: Member | undefined = scanMembers(body)?.get('system');
  const own = member === undefined ? null : parseJson(valueText(body, member));
  const joined = joinedSystem(prompt, typeof own === 'string' || Array.isArray(own) ? own : null);
  if (joined !== null) changes.set.set('system', JSON.stringify(joined));
};

/** A caller's Messages body with only those members changed that must be. */
export const nativeClaudeBody = (
  call: TextCall,
  upstreamModel: string,
  { channel, options }: Terms,
): Buffer => {
  if (passesBody(call, channel, options)) return call.body;
  const model = nativeClaudeModel(upstreamModel, options);
  const changes: Changes = { set: new Map(), remove: [] };
  if (model !== call.model) changes.set.set('model', JSON.stringify(model));
  const limit = limitOf(call, model, options);
  if (call.scan.members.max_tokens === undefined) changes.set.set('max_tokens', String(limit));
  const wantsThinking =
    model !== upstreamModel && scanMembers(call.body)?.has('thinking') === false;
  const share = options.families.claude.thinkingBudgetShare;
  if (wantsThinking) think(changes, model, { limit, share });
  instruct(changes, call.body, channel);
  const messages = withoutForeignThoughts(call.body);
  if (messages !== null) changes.set.set('messages', messages);
  const body = withMembers(withoutMembers(call.body, changes.remove), changes.set);
  return withOverride(body, channel.paramOverride);
};

/** Beta flags that the caller's header and the operator's settings name. */
export const nativeBetaFlags = (
  call: TextCall,
  { families }: AdapterOptions,
): readonly string[] => {
  const own = call.ownHeaders ?? [];
  const at = own.indexOf('anthropic-beta');
  const settings = families.claude.modelHeaders[call.model] ?? {};
  const added = Object.entries(settings).find(([name]) => name.toLowerCase() === 'anthropic-beta');
  const flags = [at === -1 ? '' : (own[at + 1] ?? ''), ...(added?.[1] ?? [])];
  return [...new Set(flags.flatMap((list) => list.split(',')).map((flag) => flag.trim()))].filter(
    (flag) => flag !== '',
  );
};
