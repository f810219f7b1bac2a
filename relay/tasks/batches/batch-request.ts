import type { BatchEstimate } from '../../../domain/task/batch.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, parseObject, textAt } from '../../protocol/json.ts';
import { lookalikeIn } from '../../protocol/lookalikes.ts';
import { lookalikeError } from '../../protocol/normalise.ts';
import { Refused, refused } from './refused.ts';
import { promptTokensOf } from './request-weight.ts';

/** One request of a batch, with its output limited. */
export type BatchRequest = Readonly<{
  customId: string;
  /** Such as `/v1/chat/completions`. */
  endpoint: string;
  model: string;
  body: JsonObject;
  promptTokens: number;
  completionTokens: number;
}>;

/** As long as an answer gets where the request has no limit; it goes up with the request. */
const defaultOutput = 8_192;
const maxOutput = 1_000_000;
const maxChoices = 128;
const maxCustomId = 512;

type Endpoint = Readonly<{
  /** Names of the output limit; the first one is set where none is given. None: no output. */
  limits: readonly string[];
  usual: number;
}>;

const endpoints: Readonly<Record<string, Endpoint>> = {
  '/v1/chat/completions': { limits: ['max_completion_tokens', 'max_tokens'], usual: defaultOutput },
  '/v1/responses': { limits: ['max_output_tokens'], usual: defaultOutput },
  // The provider's own default.
  '/v1/completions': { limits: ['max_tokens'], usual: 16 },
  '/v1/embeddings': { limits: [], usual: 0 },
};
const messagesEndpoint = '/v1/messages';
const messagesLimits: Endpoint = { limits: ['max_tokens'], usual: 0 };

/** What would be paid for apart, keeps what others may read, or needs a caller who waits. */
const unoffered = [
  ...['previous_response_id', 'conversation', 'web_search_options', 'audio', 'mcp_servers'],
  ...['background', 'context_management'],
];
const tiers: ReadonlySet<unknown> = new Set(['auto', 'default', 'standard_only']);
const ownTools: ReadonlySet<unknown> = new Set(['function', 'custom', undefined]);

const isOwnTool = (tool: unknown): boolean => isObject(tool) && ownTools.has(tool.type);

const notOffered = (name: string, why = '') =>
  refused('unsupported_parameter', `${name} is not offered in batches${why}`, name);

const checkMembers = (body: JsonObject, endpoint: string): void => {
  const named = unoffered.find((name) => body[name] != null);
  if (named !== undefined) throw notOffered(named);
  if (body.stream === true) throw notOffered('stream', ': results are read from a file');
  if (endpoint === '/v1/responses' && body.prompt != null) throw notOffered('prompt');
  if (body.service_tier != null && !tiers.has(body.service_tier)) throw notOffered('service_tier');
  const tools: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
  if (!tools.every(isOwnTool)) throw notOffered('tools', ': only functions and custom tools are');
};

const wholeOf = (body: JsonObject, name: string, max: number): number | null => {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) {
    return value;
  }
  throw refused('invalid_value', `${name} must be a whole number from 1 to ${max}`, name);
};

/** Answers to one request: choices, of each prompt that it holds. */
const answersOf = (body: JsonObject): number => {
  const { prompt } = body;
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
  const choices = wholeOf(body, 'n', maxChoices) ?? 1;
  const best = wholeOf(body, 'best_of', maxChoices) ?? 1;
  return Math.max(choices, best) * Math.max(1, prompts);
};

type Limited = Readonly<{ body: JsonObject; completionTokens: number }>;

const limited = (body: JsonObject, { limits, usual }: Endpoint): Limited => {
  const [first] = limits;
  if (first === undefined) return { body, completionTokens: 0 };
  const given = limits.map((name) => wholeOf(body, name, maxOutput)).filter((own) => own !== null);
  const limit = given.length === 0 ? usual : Math.max(...given);
  if (limit === 0) throw refused('invalid_value', `${first} is required`, first);
  const own = given.length === 0 ? { ...body, [first]: limit } : body;
  return { body: own, completionTokens: limit * answersOf(body) };
};

type Parts = Readonly<{ customId: unknown; endpoint: string; terms: Endpoint; body: unknown }>;

/** @throws a refusal of a member that another reader may take for a known one */
const checkSpelling = (object: object): void => {
  const found =
    lookalikeIn(object) ??
    Object.values(object)
      .filter((value) => isObject(value))
      .map((value) => lookalikeIn(value, 'nested'))
      .find((lookalike) => lookalike !== null);
  if (found !== undefined && found !== null) throw new Refused(lookalikeError(found));
};

const requestOf = ({ customId, endpoint, terms, body: given }: Parts): BatchRequest => {
  if (typeof customId !== 'string' || customId === '' || customId.length > maxCustomId) {
    throw refused('invalid_value', 'custom_id must be a unique text', 'custom_id');
  }
  if (!isObject(given)) throw refused('invalid_value', 'The request has no body', 'body');
  const model = textAt(given, 'model');
  if (model === '') throw refused('invalid_value', 'The request names no model', 'model');
  checkSpelling(given);
  checkMembers(given, endpoint);
  const { body, completionTokens } = limited(given, terms);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  const promptTokens = promptTokensOf(body, bytes);
  return { customId, endpoint, model, body, promptTokens, completionTokens };
};

/** A line of a file of requests. @throws a refusal */
export const requestOfLine = (text: string): BatchRequest => {
  const line = parseObject(text);
  if (line === null) throw refused('invalid_json_line', 'The line is no JSON object');
  checkSpelling(line);
  if (line.method !== 'POST') throw refused('invalid_value', 'method must be POST', 'method');
  const endpoint = textAt(line, 'url');
  const terms = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  if (terms === undefined) {
    const known = Object.keys(endpoints).join(', ');
    throw refused('invalid_value', `url must be one of ${known}`, 'url');
  }
  return requestOf({ customId: line.custom_id, endpoint, terms, body: line.body });
};

/** A request of a message batch. @throws a refusal */
export const requestOfMessages = (given: unknown): BatchRequest => {
  const { custom_id: customId, params: body } = isObject(given) ? given : {};
  return requestOf({ customId, endpoint: messagesEndpoint, terms: messagesLimits, body });
};

const maxRequests = 50_000;

/** Adds up the requests of one batch, which are all for one model. */
export class EstimateSum {
  #sum: BatchEstimate | null = null;

  /** null while there is no request. */
  get sum(): BatchEstimate | null {
    return this.#sum;
  }

  /** @throws a refusal when it does not go with those before */
  add({ model, endpoint, promptTokens, completionTokens }: BatchRequest): void {
    const sum = this.#sum ?? { model, endpoint, requests: 0, promptTokens: 0, completionTokens: 0 };
    if (sum.model !== model) {
      const message = `All requests of a batch must be for one model: ${sum.model} and ${model} take a batch each`;
      throw refused('mismatched_model', message, 'model');
    }
    if (sum.endpoint !== endpoint) {
      throw refused('mismatched_endpoint', 'All requests of a batch must have one url', 'url');
    }
    if (sum.requests === maxRequests) {
      throw refused('too_many_requests', `A batch takes at most ${maxRequests} requests`);
    }
    this.#sum = {
      ...sum,
      requests: sum.requests + 1,
      promptTokens: sum.promptTokens + promptTokens,
      completionTokens: sum.completionTokens + completionTokens,
    };
  }
}
