import { checkModel } from '../admission/access.ts';
import type { Caller } from '../admission/caller.ts';
import type { Incoming } from '../exchange/admitted.ts';
import { countPromptTokens } from '../metering/count-tokens.ts';
import type { RelayCore } from '../relay-core.ts';
import { gatewayError, sendError } from './api-error.ts';
import { scanned } from './normalise.ts';
import type { Protocol } from './protocol.ts';
import { readBody } from './read-body.ts';
import { modelOf, noModel, notJson } from './validate.ts';

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
  incoming: Incoming,
  { protocol, model: named, caller }: Count,
  raw: Buffer,
): Promise<void> => {
  const { res, requestId } = incoming;
  const given = scanned(raw);
  if (given === null) return sendError(res, notJson, requestId);
  const model = named ?? modelOf(given);
  if (model === null) return sendError(res, noModel, requestId);
  const refused = checkModel(caller, model);
  if (refused !== null) return sendError(res, refused, requestId);
  const tokens = await countPromptTokens(given.body, model);
  send(incoming, protocol === 'claude' ? { input_tokens: tokens } : { totalTokens: tokens });
};

/** How long a prompt is, by the relay's own count: nobody is asked and nothing is charged. */
export const serveCount = (core: RelayCore, incoming: Incoming, asked: Count): void => {
  const { res, requestId } = incoming;
  readBody(core, incoming, (raw) => {
    if (raw === 'gone') return;
    if (!Buffer.isBuffer(raw)) {
      sendError(res, raw, requestId);
      return;
    }
    count(incoming, asked, raw).catch((error: unknown) => {
      core.logger.error({ requestId, err: error }, 'counting failed');
      const internal = gatewayError(500, 'internal_error', 'The gateway failed on this request');
      sendError(res, internal, requestId);
    });
  });
};
