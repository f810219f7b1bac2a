import { admit, noRules } from '../admission/admit.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { sendJson } from '../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import { callError } from '../protocol/relay-errors.ts';
import { providerOf } from '../providers/registry.ts';
import type { ListProtocol } from './routes.ts';

/** Unix seconds; clients require a date, and providers' own dates are not supported. */
const created = 1_626_777_600;

const permission = {
  id: 'modelperm-tollgate',
  object: 'model_permission',
  created,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
};

const modelItem = (core: RelayCore, group: string, id: string): object => {
  const channel = core.channels.table().server(group, id);
  const owner = channel === undefined ? undefined : providerOf(channel.type)?.owner;
  return {
    id,
    object: 'model',
    created,
    owned_by: owner ?? 'custom',
    permission: [permission],
    root: id,
    parent: null,
  };
};

const visibleModels = (core: RelayCore, caller: Caller, group: string): readonly string[] => {
  const limits = caller.token?.models ?? null;
  return limits === null ? core.channels.table().models(group) : [...limits].sort();
};

type Listed<P> = Readonly<{ caller: Caller; protocol: P }>;
type AnyList = ListProtocol | 'ollama';

/** Libraries of the Messages API call OpenAI's address and send a header. */
const protocolFor = <P extends AnyList>({ req }: Incoming, protocol: P): P | 'claude' =>
  protocol === 'openai' && req.headers['anthropic-version'] !== undefined ? 'claude' : protocol;

const claudeModel = (id: string): object => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(created * 1_000).toISOString(),
});

const geminiModel = (id: string): object => ({
  name: `models/${id}`,
  version: '001',
  displayName: id,
  supportedGenerationMethods: id.includes('embedding')
    ? ['embedContent']
    : ['generateContent', 'streamGenerateContent', 'countTokens'],
});

/** Files and sizes are not available here. */
const ollamaModel = (id: string): object => ({
  name: id,
  model: id,
  modified_at: new Date(created * 1_000).toISOString(),
  size: 0,
  digest: '',
  details: {
    parent_model: '',
    format: '',
    family: '',
    families: [],
    parameter_size: '',
    quantization_level: '',
  },
});

const listIn = (
  protocol: AnyList,
  ids: readonly string[],
  itemOf: (id: string) => object,
): object => {
  switch (protocol) {
    case 'openai':
      return { object: 'list', success: true, data: ids.map(itemOf) };
    case 'claude':
      return {
        data: ids.map(claudeModel),
        has_more: false,
        first_id: ids[0] ?? null,
        last_id: ids.at(-1) ?? null,
      };
    case 'gemini':
      return { models: ids.map(geminiModel) };
    case 'ollama':
      return { models: ids.map(ollamaModel) };
  }
};

const listOf = <E extends 'models' | 'model'>(entry: E, caller: Caller) => ({
  entry,
  caller,
  model: '',
  rules: noRules,
  call: null,
});

/** GET /v1/models: exactly the models of the token's limits, else what its group is served. */
export const serveModels = (
  core: RelayCore,
  incoming: Incoming,
  { caller, protocol }: Listed<AnyList>,
): void => {
  const { res, requestId } = incoming;
  const admission = admit(core, incoming, listOf('models', caller));
  if (isApiError(admission)) {
    sendError(res, admission, requestId);
    return;
  }
  const { group } = admission;
  const ids = visibleModels(core, caller, group);
  const itemOf = (id: string) => modelItem(core, group, id);
  sendJson(incoming, 200, listIn(protocolFor(incoming, protocol), ids, itemOf));
};

const unknownModel = (model: string): ApiError =>
  callError('model_not_found', `The model ${model} does not exist`, 'model');

/** GET /v1/models/{model} */
export const serveModel = (
  core: RelayCore,
  incoming: Incoming,
  { caller, model, protocol }: Listed<ListProtocol> & Readonly<{ model: string }>,
): void => {
  const { res, requestId } = incoming;
  const admission = admit(core, incoming, listOf('model', caller));
  if (isApiError(admission)) {
    sendError(res, admission, requestId);
    return;
  }
  const { group } = admission;
  if (!visibleModels(core, caller, group).includes(model)) {
    sendError(res, unknownModel(model), requestId);
    return;
  }
  const shape = protocolFor(incoming, protocol);
  const inOwn = shape === 'claude' ? claudeModel(model) : geminiModel(model);
  sendJson(incoming, 200, shape === 'openai' ? modelItem(core, group, model) : inOwn);
};
