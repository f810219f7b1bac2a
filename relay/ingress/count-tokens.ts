import { routeFor, routeTo } from '../admission/access.ts';
import { admit, type Rules } from '../admission/admit.ts';
import type { Incoming } from '../admission/admitted.ts';
import { isPermit } from '../admission/call-limits/call-limiter.ts';
import { limitsOf, permitFor } from '../admission/call-limits/with-permit.ts';
import type { Caller } from '../admission/caller.ts';
import { examineBody } from '../admission/examine-body.ts';
import { readBody } from '../admission/read-body.ts';
import { wordInBody } from '../admission/sensitive-words.ts';
import { callOf } from '../admission/text-call.ts';
import { modelOf, noModel } from '../admission/validate.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { sendJson } from '../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { countedPrompt } from './cached-prompt.ts';
import { countedInConversation } from './conversation-call.ts';
import { providerCount } from './provider-count.ts';

type Count = Readonly<{ protocol: Protocol; model: string | null; caller: Caller }>;

/** A count as its protocol writes it. */
const shown = (tokens: number, protocol: Protocol): object => {
  if (protocol === 'gemini') return { totalTokens: tokens };
  const object = protocol === 'openai' ? { object: 'response.input_tokens' } : {};
  return { ...object, input_tokens: tokens };
};

type Counted = Readonly<{ model: string; group: string; given: ScannedBody }>;

const countRules: Rules<ScannedBody> = {
  word: (words, { body, word }) => (word === undefined ? wordInBody(words, body) : word),
  quote: () => 'unpriced',
};

/** What any call of this caller for this model is refused for before it goes to a provider. */
const checked = (
  core: RelayCore,
  incoming: Incoming,
  { model: named, caller, given }: Count & Readonly<{ given: ScannedBody }>,
): Counted | ApiError => {
  const model = named ?? modelOf(given);
  if (model === null) return noModel;
  const ask = { entry: 'count-tokens', caller, model, rules: countRules, call: given } as const;
  const admission = admit(core, incoming, ask);
  return isApiError(admission) ? admission : { model, group: admission.group, given };
};

const noTokens = () => ({ prompt: 0, output: 0 });

const countOf = async (
  core: RelayCore,
  incoming: Incoming,
  asked: Counted & Pick<Count, 'protocol' | 'caller'>,
): Promise<number | ApiError> => {
  const { model, protocol, caller } = asked;
  const prompt = await countedPrompt(core, asked);
  if (isApiError(prompt)) return prompt;
  const { given, madeBy, cachedTokens } = prompt;
  const route = routeTo(routeFor(caller, core.channels.table(), asked), madeBy);
  const path = protocol === 'openai' ? '/v1/responses/input_tokens' : '/v1/messages/count_tokens';
  const chat = { kind: 'text', operation: 'chat', isStream: false, path, protocol } as const;
  const call = callOf(incoming, chat, { given, model, media: undefined });
  const { userId } = caller.account;
  const counted = await providerCount(core, call, route);
  if (counted !== null) return counted;
  const own = await core.counting.prompt({ body: given.body, scan: given.scan, model, userId });
  return typeof own === 'number' ? own + cachedTokens : own;
};

const count = async (
  core: RelayCore,
  incoming: Incoming,
  asked: Count & Readonly<{ given: ScannedBody }>,
): Promise<number | ApiError> => {
  const counted = checked(core, incoming, asked);
  if (isApiError(counted)) return counted;
  const { caller } = asked;
  const limits = limitsOf(core, caller, { group: counted.group, call: counted });
  // A count is a request that takes no tokens.
  const permit = await permitFor(core, incoming, { limits, need: noTokens });
  if (permit !== null && !isPermit(permit)) return permit;
  try {
    return await countOf(core, incoming, { ...asked, ...counted });
  } finally {
    permit?.ended(0);
  }
};

/** The input of a response, with the conversation before it. */
const wholeInput = async (
  core: RelayCore,
  { protocol, caller }: Count,
  given: ScannedBody,
): Promise<ScannedBody | ApiError> =>
  protocol === 'openai' ? countedInConversation(core, { caller, given }) : given;

/** How long a prompt is, by its provider's count or else by the relay's own: nothing is charged. */
export const serveCount = (core: RelayCore, incoming: Incoming, asked: Count): void => {
  const { res, requestId } = incoming;
  const answer = async (given: ScannedBody | ApiError): Promise<void> => {
    const whole = isApiError(given) ? given : await wholeInput(core, asked, given);
    const tokens = isApiError(whole)
      ? whole
      : await count(core, incoming, { ...asked, given: whole });
    if (typeof tokens !== 'number') sendError(res, tokens, requestId);
    else sendJson(incoming, 200, shown(tokens, asked.protocol));
  };
  const failed = (error: unknown): void => {
    core.logger.error({ requestId, err: error }, 'counting failed');
    const internal = relayError('internal_error');
    sendError(res, internal, requestId);
  };
  readBody(core, incoming, (raw) => {
    if (raw === 'gone') return;
    if (!Buffer.isBuffer(raw)) {
      sendError(res, raw, requestId);
      return;
    }
    const owner = asked.caller.account.userId;
    examineBody(core, { raw, owner, protocol: asked.protocol }, (given) => {
      answer(given).catch(failed);
    });
  });
};
