import { z } from 'zod';
import { idField, reasonText } from './fields.ts';

const text = z.string().max(100_000).nullish();
const settings = {
  type: z.number().int().nullish(),
  /** One key a line; each line becomes a channel of its own. */
  key: text,
  name: text,
  models: text,
  /** Comma list. */
  group: text,
  base_url: text,
  other: text,
  openai_organization: text,
  test_model: text,
  tag: text,
  model_mapping: text,
  status_code_mapping: text,
  setting: text,
  param_override: text,
  priority: z.number().int().nullish(),
  weight: z.number().int().nullish(),
  auto_ban: z.union([z.literal(0), z.literal(1)]).nullish(),
  /** Prompt tokens; 0: no limit. */
  max_input_tokens: z.number().int().nullish(),
  /** What the provider charges, as a decimal ratio of the list price; "": unknown. */
  cost_ratio: z.string().max(20).nullish(),
};

/** POST /api/channel/. `copy_from` takes key and settings of another channel; the rest overrides. */
export const createChannelBody = z.object({ ...settings, copy_from: idField.nullish() });

/**
 * PUT /api/channel/. What is absent, null or (for plain fields) empty stays as it is. Another type,
 * address or proxy needs `key` in the same call.
 */
export const changeChannelBody = z.object({
  ...settings,
  id: idField,
  status: z.number().int().nullish(),
  reason: reasonText,
});

/** POST /api/channel/batch */
export const channelIdsBody = z.object({ ids: z.array(idField).min(1).max(10_000) });

/** POST /api/channel/batch/tag. An empty tag takes the channels out of theirs. */
export const batchTagBody = channelIdsBody.extend({ tag: z.string().trim().max(255).nullish() });

/** POST /api/channel/tag/enabled, POST /api/channel/tag/disabled */
export const tagBody = z.object({ tag: z.string().trim().min(1).max(255) });

/** PUT /api/channel/tag. Empty fields mean no change; an empty `new_tag` dissolves the tag. */
export const editTagBody = tagBody.extend({
  new_tag: z.string().trim().max(255).nullish(),
  model_mapping: text,
  models: text,
  groups: text,
  priority: z.number().int().nullish(),
  weight: z.number().int().nullish(),
});

/** GET /api/channel/test/:id */
export const testQuery = z.object({ model: z.string().trim().max(255).optional() });

/** POST /api/channel/fetch_models */
export const fetchModelsBody = z.object({
  base_url: z.string().trim().max(2_048).nullish(),
  type: z.number().int(),
  key: z.string().min(1).max(100_000),
});
