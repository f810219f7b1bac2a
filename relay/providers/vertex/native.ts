import type { TextCall } from '../../protocol/calls.ts';
import { isObject } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { withMembers, withoutMembers } from '../shared/byte-overrides.ts';
import {
  nativeBetaFlags,
  nativeClaudeBody,
  nativeClaudeModel,
} from '../shared/claude/native-body.ts';
import { reportedClaude } from '../shared/claude/usage.ts';
import { messagesWire } from '../shared/claude/wire.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { nativeGeminiBody, nativeGeminiModel } from '../shared/gemini/native-body.ts';
import { reportedGemini } from '../shared/gemini/usage.ts';
import { contentWire } from '../shared/gemini/wire.ts';
import type { EnvelopeContext, EnvelopedAdapter } from '../types.ts';
import { claudeName, publisherOf } from './place.ts';
import { vertexAddress } from './request.ts';

const posted = async (
  call: TextCall,
  context: EnvelopeContext,
  { path, body }: Readonly<{ path: string; body: Buffer }>,
): Promise<HttpRequest> => {
  const { url, headers } = await vertexAddress(context, call.model, path);
  const accept = call.isStream ? 'text/event-stream' : 'application/json';
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept, ...headers },
    body,
  };
};

const claudeRequest = (call: TextCall, context: EnvelopeContext): Promise<HttpRequest> => {
  const { options, upstreamModel } = context;
  const model = encodeURI(claudeName(nativeClaudeModel(upstreamModel, options)));
  const action = call.isStream ? 'streamRawPredict?alt=sse' : 'rawPredict';
  const own = nativeClaudeBody(call, upstreamModel, context);
  const flags = nativeBetaFlags(call, options);
  const set = new Map([['anthropic_version', '"vertex-2023-10-16"']]);
  if (flags.length > 0) set.set('anthropic_beta', JSON.stringify(flags));
  return posted(call, context, {
    path: `publishers/anthropic/models/${model}:${action}`,
    body: withMembers(withoutMembers(own, ['model', 'service_tier']), set),
  });
};

const contentRequest = (call: TextCall, context: EnvelopeContext): Promise<HttpRequest> => {
  const { options, upstreamModel } = context;
  const model = encodeURIComponent(nativeGeminiModel(upstreamModel, options));
  const action = call.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return posted(call, context, {
    path: `publishers/google/models/${model}:${action}`,
    body: nativeGeminiBody(call, upstreamModel, context),
  });
};

const failure: EnvelopedAdapter['failure'] = (status, body) =>
  upstreamFailure({ status, headers: {}, body });

const claudeOnVertex: EnvelopedAdapter = {
  request: (call, context) => orRefusal(() => claudeRequest(call, context)),
  usage: (reported) => (isObject(reported) ? reportedClaude(reported) : null),
  failure,
  wire: messagesWire,
};

const geminiOnVertex: EnvelopedAdapter = {
  request: (call, context) => orRefusal(() => contentRequest(call, context)),
  usage: (reported) => (isObject(reported) ? reportedGemini(reported) : null),
  failure,
  wire: contentWire,
};

/** Callers whose own protocol a model of this host has. */
export const vertexEnvelope = (
  protocol: string,
  upstreamModel: string,
): EnvelopedAdapter | null => {
  const publisher = publisherOf(upstreamModel);
  if (protocol === 'claude' && publisher === 'claude') return claudeOnVertex;
  return protocol === 'gemini' && publisher === 'gemini' ? geminiOnVertex : null;
};
