import type { Admitted } from '../admission/admitted.ts';
import { inputItems, isKeptByRequest } from '../kept-responses/asked-to-keep.ts';
import { type KeptResponses, maxKeptChars } from '../kept-responses/kept-responses.ts';
import type { JsonObject, OpenAiCall } from '../protocol/canonical.ts';
import { type EncoderFacts, factsOf } from './encoder.ts';
import type { ReplyHost } from './reply.ts';

const keeper = (kept: KeptResponses, { call, caller }: Admitted) => {
  const { userId } = caller.account;
  return (response: JsonObject): void => {
    kept.keep(response, { userId, input: inputItems(call.body) });
  };
};

/**
 * What writes an answer, and keeps it where it is a response that its caller may name later. Words
 * that callers may not read are not kept for them.
 */
export const keepingFacts = (
  { admitted, filter }: ReplyHost,
  call: Pick<OpenAiCall, 'response'>,
  kept: KeptResponses,
): EncoderFacts => {
  const facts = factsOf(admitted, call);
  const mayKeep =
    call.response !== undefined &&
    kept.keeps() &&
    filter.completion === null &&
    admitted.call.body.length <= maxKeptChars &&
    isKeptByRequest(admitted.call);
  return mayKeep ? { ...facts, keep: keeper(kept, admitted) } : facts;
};
