import { z } from 'zod';

/** JSON-valued fields are JSON text, "" when unset. */
export const channelRow = z.object({
  id: z.number().int(),
  type: z.number().int(),
  /** Never returned. */
  key: z.literal(''),
  name: z.string(),
  /** 1 enabled, 2 disabled by hand, 3 disabled automatically. */
  status: z.number().int(),
  /** Comma list. */
  models: z.string(),
  /** Comma list. */
  group: z.string(),
  base_url: z.string(),
  other: z.string(),
  openai_organization: z.string(),
  test_model: z.string(),
  tag: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  setting: z.string(),
  param_override: z.string(),
  priority: z.number().int(),
  weight: z.number().int(),
  /** 1: may be disabled automatically. */
  auto_ban: z.number().int(),
  /** What the provider says is left, in the provider's currency. */
  balance: z.number(),
  /** Quota units. */
  used_quota: z.number().int(),
  /** Milliseconds of the last test; 0 never tested. */
  response_time: z.number().int(),
  /** Unix seconds, 0 never; the same for the two below. */
  test_time: z.number().int(),
  created_time: z.number().int(),
  balance_updated_time: z.number().int(),
  /** JSON text with `status_reason` and `status_time` (Unix seconds), or "". */
  other_info: z.string(),
  /** Prompt tokens of the longest request that it is given; 0: no limit. */
  max_input_tokens: z.number().int(),
});
export type ChannelRow = z.infer<typeof channelRow>;

/** GET /api/channel/ (pages from 0) and GET /api/channel/search: a bare array. */
export const channelList = z.array(channelRow);

/** GET /api/channel/models: the built-in catalogue, each id once. */
const catalogueModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
  permission: z.array(z.unknown()),
  root: z.string(),
  parent: z.null(),
});
export const catalogueModels = z.array(catalogueModel);
export type CatalogueModel = z.infer<typeof catalogueModel>;

/** GET /api/models: channel type (as text) → names of its built-in models. */
export const modelsByType = z.record(z.string(), z.array(z.string()));
export type ModelsByType = z.infer<typeof modelsByType>;
