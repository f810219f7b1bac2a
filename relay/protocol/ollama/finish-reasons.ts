import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import { defined, numberAt } from '../json.ts';

/** Calls end an answer like any other word here. */
export const doneReasonOf = (finish: unknown): string => {
  if (finish === 'length' || finish === 'content_filter') return finish;
  return 'stop';
};

export const countsOf = (usage: JsonObject): JsonObject =>
  defined({
    prompt_eval_count: numberAt(usage, 'prompt_tokens') ?? undefined,
    eval_count: numberAt(usage, 'completion_tokens') ?? undefined,
  });

/** An error as this protocol writes it. */
export const errorOf = ({ message }: ApiError): JsonObject => ({ error: message });
