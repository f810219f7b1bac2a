import type { JsonObject } from '../../protocol/canonical.ts';

const suffix = /-(high|medium|low)$/;

/** A model name without its effort suffix, and the effort that it requests. */
export const splitEffort = (model: string): Readonly<{ model: string; effort: string | null }> => {
  const effort = suffix.exec(model)?.[1] ?? null;
  return { model: effort === null ? model : model.replace(suffix, ''), effort };
};

/** The limit under its newer name, which reasoning models insist on. */
export const withCompletionLimit = (body: JsonObject): JsonObject => {
  const { max_tokens: most, ...rest } = body;
  if (most === undefined) return rest;
  return { ...rest, max_completion_tokens: rest.max_completion_tokens ?? most };
};
