import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import type { TextCall } from '../../../protocol/calls.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { numberAt, objectsAt, parseObject } from '../../../protocol/json.ts';
import { type Member, scanMembers } from '../../../protocol/scan-body.ts';
import { valueText } from '../../../protocol/splice.ts';
import type { AdapterOptions } from '../../types.ts';
import { withMembers, withOverride } from '../byte-overrides.ts';
import {
  joinedSystem,
  passesBody,
  type SystemPrompt,
  systemPromptOf,
} from '../channel-settings.ts';
import { withOwnProofs } from './own-proofs.ts';
import { isSigning, suffixPlan } from './thinking.ts';

type Gemini = AdapterOptions['families']['gemini'];
type Terms = Readonly<{ channel: UpstreamChannel; options: AdapterOptions }>;
type Named = Readonly<{ name: string; value: JsonObject }>;

/** A member under either of the two names that the protocol takes. */
const memberOf = (
  body: Buffer,
  members: ReadonlyMap<string, Member> | null,
  [camel, snake]: readonly [string, string],
): Named => {
  const name = members?.has(snake) === true ? snake : camel;
  const member = members?.get(name);
  return { name, value: (member && parseObject(valueText(body, member))) ?? {} };
};

export const nativeGeminiModel = (upstreamModel: string, { families }: AdapterOptions): string =>
  suffixPlan(upstreamModel, { ...families.gemini, maxTokens: 0 }).model;

const hasThinking = ({ value }: Named): boolean =>
  value.thinkingConfig !== undefined || value.thinking_config !== undefined;

type Members = ReadonlyMap<string, Member> | null;
type Change = readonly [name: string, json: string] | null;

/** Thinking as the name of the model requests it, unless the caller set it. */
const thinkingChange = (
  { body }: TextCall,
  members: Members,
  { upstreamModel, gemini }: Readonly<{ upstreamModel: string; gemini: Gemini }>,
): Change => {
  const config = memberOf(body, members, ['generationConfig', 'generation_config']);
  const { value, name } = config;
  const maxTokens = numberAt(value, 'maxOutputTokens') ?? numberAt(value, 'max_output_tokens') ?? 0;
  const { thinking } = suffixPlan(upstreamModel, { ...gemini, maxTokens });
  if (thinking === undefined || hasThinking(config)) return null;
  return [name, JSON.stringify({ ...value, thinkingConfig: thinking })];
};

const instructionChange = (
  { body }: TextCall,
  members: Members,
  prompt: SystemPrompt | null,
): Change => {
  // A cache has its own instruction, and a call that names one may have no other.
  if (prompt === null || members?.has('cachedContent') === true) return null;
  const named = memberOf(body, members, ['systemInstruction', 'system_instruction']);
  const own = objectsAt(named.value, 'parts');
  const joined = joinedSystem(prompt, own);
  if (joined === null) return null;
  return [named.name, JSON.stringify({ ...named.value, parts: [{ text: prompt.text }, ...own] })];
};

const contentsChange = ({ body }: TextCall, upstreamModel: string): Change => {
  const contents = withOwnProofs(body, isSigning(upstreamModel));
  return contents === null ? null : ['contents', contents];
};

/** A caller's generateContent body with only those members changed that must be. */
export const nativeGeminiBody = (
  call: TextCall,
  upstreamModel: string,
  { channel, options }: Terms,
): Buffer => {
  if (passesBody(call, channel, options)) return call.body;
  const { gemini } = options.families;
  const prompt = systemPromptOf(channel);
  const isSuffixed = nativeGeminiModel(upstreamModel, options) !== upstreamModel;
  const members = isSuffixed || prompt !== null ? scanMembers(call.body) : null;
  const changes = [
    isSuffixed ? thinkingChange(call, members, { upstreamModel, gemini }) : null,
    instructionChange(call, members, prompt),
    contentsChange(call, upstreamModel),
  ];
  const body = withMembers(call.body, new Map(changes.filter((change) => change !== null)));
  return withOverride(body, channel.paramOverride);
};
