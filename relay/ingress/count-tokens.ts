import { checkModel } from '../admission/access.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import { examineBody } from '../admission/examine-body.ts';
import { readBody } from '../admission/read-body.ts';
import { modelOf, noModel } from '../admission/validate.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, gatewayError, isApiError, sendError } from '../protocol/api-error.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import type { ScannedBody } from '../protocol/normalise.ts';

type Count = Readonly<{ protocol: Protocol; model: string | null; caller: Caller }>;

const send = ({ res, requestId }: Incoming, value: object): void => {
  if (res.destroyed) return;
  const body = Buffer.from(JSON.stringify(value));
  res.writeHead(200, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(body.length),
    'X-Request-Id',
    requestId,
    'Access-Control-Allow-Origin',
    '*',
  ]);
  res.end(body);
};

const count = async (
  core: RelayCore,
  { model: named, caller }: Count,
  given: ScannedBody,
): Promise<number | ApiError> => {
  const model = named ?? modelOf(given);
  if (model === null) return noModel;
  const refused = checkModel(caller, model);
  if (refused !== null) return refused;
  const { userId } = caller.account;
  return core.counting.prompt({ body: given.body, scan: given.scan, model, userId });
};

/** How long a prompt is, by the relay's own count: nothing is charged. */
export const serveCount = (core: RelayCore, incoming: Incoming, asked: Count): void => {
  const { res, requestId } = incoming;
  const answer = async (given: ScannedBody | ApiError): Promise<void> => {
    const tokens = isApiError(given) ? given : await count(core, asked, given);
    if (typeof tokens !== 'number') sendError(res, tokens, requestId);
    else {
      const isClaude = asked.protocol === 'claude';
      send(incoming, isClaude ? { input_tokens: tokens } : { totalTokens: tokens });
    }
  };
  const failed = (error: unknown): void => {
    core.logger.error({ requestId, err: error }, 'counting failed');
    const internal = gatewayError(500, 'internal_error', 'The gateway failed on this request');
    sendError(res, internal, requestId);
  };
  readBody(core, incoming, (raw) => {
    if (raw === 'gone') return;
    if (!Buffer.isBuffer(raw)) {
      sendError(res, raw, requestId);
      return;
    }
    examineBody(core, { raw, owner: asked.caller.account.userId }, (given) => {
      answer(given).catch(failed);
    });
  });
};
