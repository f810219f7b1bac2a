import { type AppliedLimits, limitsOn } from '../../feeds/call-limits.ts';
import { type ApiError, sendError } from '../../protocol/api-error.ts';
import { protocolOf } from '../../protocol/caller-protocol.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import type { Incoming } from '../admitted.ts';
import type { Caller } from '../caller.ts';
import type { AdmissionDeps } from '../deps.ts';
import {
  type CallLimiter,
  type CallPermit,
  isPermit,
  type PermitResult,
  type TokenNeed,
} from './call-limiter.ts';
import { limitHeaders } from './limit-headers.ts';

type PermitDeps = Pick<AdmissionDeps, 'options' | 'logger'> &
  Readonly<{ callLimiter: CallLimiter }>;

const none: readonly AppliedLimits[] = [];

/** The limits of a call; nothing is read where none is set. */
export const limitsOf = (
  { options }: Pick<AdmissionDeps, 'options'>,
  caller: Caller,
  { group, call }: Readonly<{ group: string; call: Readonly<{ model: string }> }>,
): readonly AppliedLimits[] => {
  const { callLimits } = options.current();
  const tokenLimits = caller.token?.entry?.limits ?? null;
  if (callLimits === null && tokenLimits === null) return none;
  const { tokenId } = caller;
  const { userId } = caller.account;
  return limitsOn(callLimits, { tokenId, tokenLimits, userId, group, model: call.model });
};

/** In headers of the answer, whatever it will be. */
const showLimits = ({ res, arrivedAtMs }: Incoming, { permit, states }: PermitResult): void => {
  if (res.headersSent) return;
  const protocol = protocolOf(res.req.url ?? '');
  for (const [name, value] of limitHeaders(protocol, states(), arrivedAtMs)) {
    res.setHeader(name, value);
  }
  // Clients do not send again what no minute has room for.
  const isFinal = !isPermit(permit) && permit.retryAfterSeconds === undefined;
  if (isFinal) res.setHeader('x-should-retry', 'false');
};

type Asked = Readonly<{ limits: readonly AppliedLimits[]; need: () => TokenNeed }>;

const internalError = relayError('internal_error');

/** Runs the call with the permits that it holds, or returns why it may not be made now. */
export const withPermit = (
  core: PermitDeps,
  incoming: Incoming,
  { limits, need, go }: Asked & Readonly<{ go: (permit: CallPermit) => void }>,
): void => {
  const { res, requestId } = incoming;
  const goOn = (permit: CallPermit): void => {
    try {
      go(permit);
    } catch (error) {
      permit.cancelled();
      throw error;
    }
  };
  const answer = (result: PermitResult): void => {
    const { permit } = result;
    showLimits(incoming, result);
    if (!isPermit(permit)) sendError(res, permit, requestId);
    else if (res.destroyed) permit.cancelled();
    else goOn(permit);
  };
  const result = core.callLimiter.take(limits, need());
  if (!(result instanceof Promise)) {
    answer(result);
    return;
  }
  result.then(answer).catch((error: unknown) => {
    core.logger.error({ requestId, err: error }, 'admission failed');
    sendError(res, internalError, requestId);
  });
};

/** The same for what is no answer of HTTP; null: it is under no limit. */
export const permitFor = async (
  core: PermitDeps,
  incoming: Incoming,
  { limits, need }: Asked,
): Promise<CallPermit | ApiError | null> => {
  if (limits.length === 0) return null;
  const result = await core.callLimiter.take(limits, need());
  showLimits(incoming, result);
  return result.permit;
};
