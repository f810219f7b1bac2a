import type { ServerResponse } from 'node:http';
import { groupOf } from '../admission/access.ts';
import type { Caller } from '../admission/caller.ts';
import type { Incoming } from '../exchange/admitted.ts';
import { providerOf } from '../providers/registry.ts';
import type { RelayCore } from '../relay-core.ts';
import { type ApiError, sendError } from './api-error.ts';

/** Unix seconds; clients want a date, and providers' own dates are not known here. */
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

const sendJson = (res: ServerResponse, value: object, requestId: string): void => {
  const body = Buffer.from(JSON.stringify(value));
  res.writeHead(200, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(body.length),
    'X-Request-Id',
    requestId,
    'X-Oneapi-Request-Id',
    requestId,
    'Access-Control-Allow-Origin',
    '*',
  ]);
  res.end(body);
};

/** GET /v1/models: exactly the models of the token's limits, else what its group is served. */
export const serveModels = (
  core: RelayCore,
  { res, requestId }: Incoming,
  caller: Caller,
): void => {
  const group = groupOf(caller, core.options.current().prices);
  if (typeof group !== 'string') {
    sendError(res, group, requestId);
    return;
  }
  const data = visibleModels(core, caller, group).map((id) => modelItem(core, group, id));
  sendJson(res, { object: 'list', success: true, data }, requestId);
};

const unknownModel = (model: string): ApiError => ({
  status: 404,
  message: `The model ${model} does not exist`,
  type: 'invalid_request_error',
  param: 'model',
  code: 'model_not_found',
});

/** GET /v1/models/{model} */
export const serveModel = (
  core: RelayCore,
  { res, requestId }: Incoming,
  { caller, model }: Readonly<{ caller: Caller; model: string }>,
): void => {
  const group = groupOf(caller, core.options.current().prices);
  if (typeof group !== 'string') sendError(res, group, requestId);
  else if (!visibleModels(core, caller, group).includes(model)) {
    sendError(res, unknownModel(model), requestId);
  } else sendJson(res, modelItem(core, group, model), requestId);
};
