import type { JsonObject } from './canonical.ts';
import type { ChatDialect } from './chat-dialect.ts';

/** Models of OpenAI's that take an effort. */
export const takesEffort = (model: string): boolean => /^(o\d|gpt-5|gpt-oss)/.test(model);

/** A budget of thoughts as an effort. */
export const effortOf = (budget: number): string => {
  if (budget <= 2_048) return 'low';
  return budget <= 8_192 ? 'medium' : 'high';
};

/** The limit of an answer under the name that the model takes. */
export const limitFor = (limit: unknown, model: string, dialect: ChatDialect): JsonObject =>
  dialect === 'openai' && takesEffort(model)
    ? { max_completion_tokens: limit }
    : { max_tokens: limit };

/** Usage is included by default in every protocol but OpenAI's. */
export const streamMembers = (isStream: boolean): JsonObject =>
  isStream ? { stream: true, stream_options: { include_usage: true } } : {};

/** Stop words in OpenAI's shape. */
export const stopMember = (stops: unknown): unknown => {
  if (typeof stops === 'string') return stops;
  if (!Array.isArray(stops) || stops.length === 0) return undefined;
  return stops.length === 1 ? stops[0] : stops;
};
