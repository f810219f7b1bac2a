import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, without } from '../../protocol/json.ts';
import { configurationError, refuse, refuseRequest } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { planOf } from '../shared/claude/plan.ts';
import { betaFlags, claudeBody } from '../shared/claude/request.ts';
import { imageBody, predictEmbeddings } from '../shared/gemini/other-operations.ts';
import { isPredicting, pictureBody } from '../shared/gemini/pictures.ts';
import { geminiBody } from '../shared/gemini/request.ts';
import { speechBody } from '../shared/gemini/speech.ts';
import { geminiPlan } from '../shared/gemini/thinking.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';
import { serviceAccountOf } from './account.ts';
import { claudeName, publisherOf, regionOf } from './place.ts';
import { vertexProject } from './project.ts';

type Target = Readonly<{ path: string; body: JsonObject }>;

const claudeTarget = async (context: TranslationContext): Promise<Target> => {
  const model = encodeURI(claudeName(planOf(context).model));
  const flags = betaFlags(context);
  const action = context.call.isStream ? 'streamRawPredict?alt=sse' : 'rawPredict';
  const own = without(await claudeBody(context), ['model', 'service_tier']);
  return {
    path: `publishers/anthropic/models/${model}:${action}`,
    body: {
      anthropic_version: 'vertex-2023-10-16',
      ...(flags.length === 0 ? {} : { anthropic_beta: flags }),
      ...own,
    },
  };
};

const geminiTarget = async (context: TranslationContext): Promise<Target> => {
  const { operation, isStream } = context.call;
  const root = `publishers/google/models/${encodeURIComponent(geminiPlan(context).model)}`;
  if (operation === 'images') {
    return isPredicting(context.call)
      ? { path: `${root}:predict`, body: imageBody(context) }
      : { path: `${root}:generateContent`, body: await pictureBody(context) };
  }
  if (operation === 'speech') {
    return { path: `${root}:generateContent`, body: speechBody(context) };
  }
  if (operation === 'embeddings') {
    return { path: `${root}:predict`, body: predictEmbeddings(context) };
  }
  const action = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return { path: `${root}:${action}`, body: await geminiBody(context) };
};

/** Open models are served in OpenAI's own shape. */
const openTarget = ({ call }: TranslationContext): Target => {
  const options = { ...objectAt(call.body, 'stream_options'), include_usage: true };
  const usage = call.isStream ? { stream_options: options } : {};
  return {
    path: 'endpoints/openapi/chat/completions',
    body: { ...call.body, model: call.upstreamModel, ...usage },
  };
};

const targetOf = async (context: TranslationContext): Promise<Target> => {
  const publisher = publisherOf(context.call.upstreamModel);
  if (publisher !== 'gemini' && context.call.operation !== 'chat') {
    return refuseRequest('This model serves chats only');
  }
  switch (publisher) {
    case 'claude':
      return claudeTarget(context);
    case 'gemini':
      return geminiTarget(context);
    case 'open':
      return openTarget(context);
    case null:
      return refuse(configurationError('The channel cannot serve models of this name'));
  }
};

type Addressed = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
}>;

/** Where a path of the project is, and what opens it. */
export const vertexAddress = async (
  { channel, io }: Pick<TranslationContext, 'channel' | 'io'>,
  requestedModel: string,
  path: string,
): Promise<Addressed> => {
  const region = regionOf(channel, requestedModel);
  const { baseUrl, parent, headers } = await vertexProject({ channel, io }, region);
  const version = path.startsWith('endpoints/') ? 'v1beta1' : 'v1';
  return { url: `${baseOf(channel, baseUrl)}/${version}/${parent}/${path}`, headers };
};

export const vertexRequest = async (context: TranslationContext): Promise<HttpRequest> => {
  const { channel, call } = context;
  // Before the body is written: a bad key costs no download of pictures.
  serviceAccountOf(channel.key);
  regionOf(channel, call.requestedModel);
  const { path, body } = await targetOf(context);
  return jsonRequest(context, {
    ...(await vertexAddress(context, call.requestedModel, path)),
    body,
  });
};
