import type { ApiError } from '../protocol/api-error.ts';
import { isObject, numberAt, parseJson } from '../protocol/json.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { shortText } from '../protocol/splice.ts';
import type { TextRoute } from './text-call.ts';
import { checkText, invalid, isNothing, maxMaxTokens, type TextLimits } from './validate.ts';

const maxOptionsBytes = 65_536;

const missing = (body: Buffer, name: string): ApiError | null => {
  const member = scanMembers(body)?.get(name);
  const isThere = member !== undefined && !isNothing(body, member);
  return isThere ? null : invalid(`Invalid request: ${name} is required`, name);
};

/** The limit of an answer is one of the options of the model; -1 and -2 mean none. */
const optionLimit = (body: Buffer): TextLimits | ApiError => {
  const options = scanMembers(body)?.get('options');
  if (options === undefined) return { outputLimit: null };
  if (options.valueEnd - options.valueStart > maxOptionsBytes) {
    return invalid('Invalid request: options is too long', 'options');
  }
  const read = parseJson(shortText(body, options, maxOptionsBytes));
  const limit = isObject(read) ? (numberAt(read, 'num_predict') ?? 0) : 0;
  if (limit > maxMaxTokens) return invalid('Invalid request: num_predict is too large', 'options');
  return { outputLimit: limit > 0 ? Math.ceil(limit) : null };
};

const checkOllama = ({ path }: TextRoute, { body, scan }: ScannedBody): TextLimits | ApiError => {
  if (path === '/api/generate') return missing(body, 'prompt') ?? optionLimit(body);
  const limits = checkText('chat', body, scan);
  return 'status' in limits ? limits : optionLimit(body);
};

/** What the relay itself requires of bodies of Cohere's and Ollama's own APIs. */
export const checkNative = (route: TextRoute, given: ScannedBody): TextLimits | ApiError => {
  const { operation, protocol } = route;
  const { body, scan } = given;
  if (protocol === 'cohere' && operation === 'embeddings') {
    return missing(body, 'texts') ?? { outputLimit: 0 };
  }
  if (protocol === 'ollama' && operation === 'chat') return checkOllama(route, given);
  return checkText(operation, body, scan);
};
