import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { json } from './video-hosts.ts';

/*
 * Context caches of the Gemini API and the calls that read them, with the rules of each
 * (https://ai.google.dev/api/caching). A cache belongs to the project of its key.
 */

type Json = Readonly<Record<string, unknown>>;
type StubCache = {
  name: string;
  key: string;
  model: string;
  tokens: number;
  order: Json;
  createTime: string;
  expireTime: string;
};
type Request = Readonly<{
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}>;
export type StubCaches = Readonly<{
  caches: StubCache[];
  /** Bodies of generateContent and countTokens, as received. */
  calls: Json[];
  /** What it counts too much of each cache. */
  overstated: { by: number };
  serve: (res: ServerResponse, request: Request) => void;
}>;

class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const minTokens = 1_024;
const members = ['contents', 'systemInstruction', 'tools', 'toolConfig'];
const orderMembers = new Set(['model', 'ttl', 'expireTime', 'displayName', ...members]);
const callMembers = new Set([
  ...members,
  ...['cachedContent', 'generationConfig', 'safetySettings', 'model'],
]);

/** Four letters a token. */
const stubTokens = (value: unknown): number => Math.ceil(JSON.stringify(value ?? '').length / 4);

const known = (body: Json, names: ReadonlySet<string>): void => {
  const name = Object.keys(body).find((own) => !names.has(own));
  if (name !== undefined) throw new Refusal(400, `Unknown name "${name}": Cannot find field.`);
};

const expiryOf = ({ ttl, expireTime }: Json): string => {
  if (ttl !== undefined && expireTime !== undefined)
    throw new Refusal(400, 'oneof field expiration');
  if (typeof expireTime === 'string') return new Date(expireTime).toISOString();
  const [, seconds] = /^(\d+)(?:\.\d+)?s$/.exec(String(ttl ?? '3600s')) ?? [];
  if (seconds === undefined) throw new Refusal(400, 'Invalid value at ttl');
  return new Date(Date.now() + Number(seconds) * 1_000).toISOString();
};

const shown = ({ name, model, tokens, order, createTime, expireTime }: StubCache): Json => ({
  name,
  model,
  ...(order.displayName === undefined ? {} : { displayName: order.displayName }),
  createTime,
  updateTime: createTime,
  expireTime,
  usageMetadata: { totalTokenCount: tokens },
});

/** One of Google's hosts: how it names caches and models, and who may call it. */
type Host = Readonly<{
  keyOf: (headers: IncomingHttpHeaders) => string;
  /** How an order must name its model. */
  model: RegExp;
  nameOf: (count: number, key: string) => string;
  /** Prefix of the names of caches and models in a path. */
  root: string;
  /** All caches, and one of them. */
  path: RegExp;
  call: RegExp;
}>;

const geminiApi: Host = {
  keyOf: (headers) => String(headers['x-goog-api-key'] ?? ''),
  model: /^models\/[\w.-]+$/,
  nameOf: (count, key) => `cachedContents/up${count}x${key.length}`,
  root: '/v1beta/',
  path: /^cachedContents(\/[\w-]+)?$/,
  call: /^(models\/[^:]+):(\w+)$/,
};

type Place = Readonly<{ project: string; number: string; region: string }>;

/**
 * Vertex AI takes full resource names alone, and writes the project by its number in its own
 * (https://cloud.google.com/vertex-ai/generative-ai/docs/context-cache/context-cache-create).
 */
export const vertexApi = ({ project, number, region }: Place): Host => {
  const own = `projects/${project}/locations/${region}`;
  const places = `projects/(?:${project}|${number})/locations/${region}`;
  return {
    keyOf: ({ authorization = '' }) => authorization.replace(/^Bearer /, ''),
    model: new RegExp(`^${own}/publishers/google/models/[\\w.-]+$`),
    nameOf: (count) => `projects/${number}/locations/${region}/cachedContents/${count}4567890123`,
    root: '/v1/',
    path: new RegExp(`^${places}/cachedContents(/\\d+)?$`),
    call: new RegExp(`^(${own}/publishers/google/models/[^:]+):(\\w+)$`),
  };
};

export const createStubCaches = (
  isKey: (key: string) => boolean,
  host: Host = geminiApi,
): StubCaches => {
  const caches: StubCache[] = [];
  const calls: Json[] = [];
  const overstated = { by: 0 };

  const find = (name: string, key: string): StubCache => {
    const cache = caches.find((one) => one.name === name && one.key === key);
    if (cache === undefined || Date.parse(cache.expireTime) < Date.now()) {
      throw new Refusal(403, 'CachedContent not found (or permission denied)');
    }
    return cache;
  };

  const create = (order: Json, key: string): Json => {
    known(order, orderMembers);
    const model = String(order.model ?? '');
    if (!host.model.test(model)) throw new Refusal(400, 'Model name is invalid');
    const { contents, systemInstruction, tools } = order;
    const tokens = stubTokens([contents, systemInstruction, tools]) + overstated.by;
    if (tokens < minTokens) {
      const numbers = `total_token_count=${tokens}, min_total_token_count=${minTokens}`;
      throw new Refusal(400, `Cached content is too small. ${numbers}`);
    }
    const createTime = new Date().toISOString();
    const name = host.nameOf(caches.length, key);
    const cache = { name, key, model, tokens, order, createTime, expireTime: expiryOf(order) };
    caches.push(cache);
    return shown(cache);
  };

  const ofCache = ({ method }: Request, cache: StubCache, body: Json): Json => {
    if (method === 'GET') return shown(cache);
    if (method === 'DELETE') {
      caches.splice(caches.indexOf(cache), 1);
      return {};
    }
    known(body, new Set(['ttl', 'expireTime']));
    cache.expireTime = expiryOf(body);
    return shown(cache);
  };

  /** Tokens of a call and those of them that are read from its cache. */
  const measured = (model: string, body: Json, key: string) => {
    known(body, callMembers);
    const { cachedContent, systemInstruction, contents } = body;
    if (cachedContent === undefined)
      return { prompt: stubTokens([contents, systemInstruction]), cached: 0 };
    const cache = find(String(cachedContent), key);
    if (cache.model !== model) {
      const text = `Model used by GenerateContent request (${model}) and CachedContent (${cache.model}) has to be the same.`;
      throw new Refusal(400, text);
    }
    const own = ['systemInstruction', 'tools', 'toolConfig'].find(
      (name) => body[name] !== undefined,
    );
    if (own !== undefined) {
      throw new Refusal(
        400,
        'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.',
      );
    }
    return { prompt: stubTokens(contents) + cache.tokens, cached: cache.tokens };
  };

  const answer = ({ prompt, cached }: ReturnType<typeof measured>): Json => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'By the cache.' }] },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: prompt,
      candidatesTokenCount: 4,
      totalTokenCount: prompt + 4,
      ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    },
    modelVersion: 'stub',
  });

  const call = (res: ServerResponse, path: string, { body, key }: { body: Json; key: string }) => {
    const [, model = '', action = ''] = host.call.exec(path) ?? [];
    if (model === '') throw new Refusal(404, `${path} was not found`);
    calls.push(body);
    if (action === 'countTokens') {
      const inner = (body.generateContentRequest ?? body) as Json;
      const { prompt, cached } = measured(model, inner, key);
      json(res, 200, { totalTokens: prompt, cachedContentTokenCount: cached });
      return;
    }
    const reply = answer(measured(model, body, key));
    if (action === 'generateContent') json(res, 200, reply);
    else {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`data: ${JSON.stringify(reply)}\r\n\r\n`);
    }
  };

  const list = ({ method }: Request, body: Json, key: string): Json =>
    method === 'POST'
      ? create(body, key)
      : { cachedContents: caches.filter((one) => one.key === key).map(shown) };

  const take = (res: ServerResponse, request: Request): void => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const key = host.keyOf(request.headers);
    if (!isKey(key)) throw new Refusal(400, 'API key not valid. Please pass a valid API key.');
    const text = request.body.toString('utf8');
    const body = text === '' ? {} : (JSON.parse(text) as Json);
    const name = pathname.startsWith(host.root) ? pathname.slice(host.root.length) : '';
    const found = host.path.exec(name);
    if (found === null) call(res, decodeURIComponent(name), { body, key });
    else if (found[1] === undefined) json(res, 200, list(request, body, key));
    else json(res, 200, ofCache(request, find(name, key), body));
  };

  return {
    caches,
    calls,
    overstated,
    serve: (res, request) => {
      try {
        take(res, request);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const status = error.code === 403 ? 'PERMISSION_DENIED' : 'INVALID_ARGUMENT';
        json(res, error.code, { error: { code: error.code, message: error.message, status } });
      }
    },
  };
};
