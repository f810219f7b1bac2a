import type { ServerResponse } from 'node:http';
import {
  createStubCaches,
  type StubCaches,
  vertexApi,
} from '../../support/stub-provider/caches.ts';
import { stubProject } from '../../support/stub-provider/google-account.ts';
import { type Counted, rule } from './scene.ts';
import type { UpstreamCall } from './types.ts';
import type { Json } from './wire.ts';

export const googleToken = 'ya29.stub-token';

const path = /^\/v1(?:beta)?\/(?:projects\/[^/]+\/locations\/[^/]+\/)?cachedContents(?:\/|$)/;
const own: Readonly<Record<'gemini' | 'vertex', StubCaches>> = {
  gemini: createStubCaches((key) => key === 'gemini-key'),
  vertex: createStubCaches(
    (key) => key === googleToken,
    vertexApi({ project: stubProject, number: '111111111111', region: 'us-central1' }),
  ),
};
const hostOf = (of: string): StubCaches =>
  of.startsWith('/v1/projects/') ? own.vertex : own.gemini;

export const isCachePath = (of: string): boolean => path.test(of);

/** What Google bills for it: the tokens of a cache that is made. */
export const serveCaches = (call: UpstreamCall, res: ServerResponse): readonly Counted[] => {
  const { method, headers, text } = call;
  const host = hostOf(call.path);
  const before = host.caches.length;
  const url = `${call.path}?${call.query}`;
  host.serve(res, { method, url, headers, body: Buffer.from(text) });
  return host.caches.slice(before).map(({ model, tokens }) => ({
    model: model.split('/').at(-1) ?? '',
    prompt: tokens,
    completion: 0,
  }));
};

/**
 * Tokens of the cache that a call names, which must be of its model and contain all but the prompt.
 */
export const cachedTokens = (of: string, body: Json): number => {
  const { cachedContent } = body;
  if (cachedContent === undefined) return 0;
  const cache = hostOf(of).caches.find(({ name }) => name === cachedContent);
  rule(cache !== undefined, 'CachedContent not found (or permission denied)');
  const model = /models\/[^:]+/.exec(of)?.[0] ?? '';
  rule(cache?.model.endsWith(model) === true, 'Model and CachedContent have to be the same.');
  const isAlone = ['systemInstruction', 'tools', 'toolConfig'].every((name) => !(name in body));
  rule(isAlone, 'CachedContent can not be used with system_instruction, tools or tool_config.');
  return cache?.tokens ?? 0;
};
