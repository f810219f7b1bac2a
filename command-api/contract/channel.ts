import { z } from 'zod';
import { idField, idInPath, reasonText } from './fields.ts';
import { route } from './route.ts';

const text = z.string().max(100_000).nullish();
const settings = {
  type: z.number().int().nullish(),
  /** One key a line; each line becomes a separate channel. */
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

const figures = z
  .object({
    balance: z.number(),
    balance_updated_time: z.number().int(),
    used_quota: z.number().int(),
    response_time: z.number().int(),
    test_time: z.number().int(),
    created_time: z.number().int(),
    other_info: z.string(),
  })
  .partial();

/** The channel as it was set, and its counters where the read side answered. Never its key. */
const channelRecord = z.object({
  id: z.number().int(),
  type: z.number().int(),
  key: z.literal(''),
  name: z.string(),
  status: z.number().int(),
  models: z.string(),
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
  auto_ban: z.number().int(),
  max_input_tokens: z.number().int(),
  cost_ratio: z.string(),
  ...figures.shape,
});
export type ChannelRecord = z.infer<typeof channelRecord>;

const channelIdsBody = z.object({ ids: z.array(idField).min(1).max(10_000) });
const tagText = z.string().trim().max(255);
const tagBody = z.object({ tag: tagText.min(1) });
const count = z.number().int();
const guards = ['large-body'] as const;

export const channelApi = {
  'POST /api/channel/': route('admin', 'Creates a channel for each key.', {
    /** `copy_from` takes key and settings of another channel; the rest overrides. */
    body: z.object({ ...settings, copy_from: idField.nullish() }),
    data: z.object({ ids: z.array(z.number().int()) }),
    guards,
  }),
  /**
   * What is absent, null or (for plain fields) empty stays as it is. Another type, address or proxy needs
   * `key` in the same call.
   */
  'PUT /api/channel/': route('admin', 'Changes a channel.', {
    body: z.object({
      ...settings,
      id: idField,
      status: z.number().int().nullish(),
      reason: reasonText,
    }),
    data: channelRecord,
    guards,
  }),
  'DELETE /api/channel/:id': route('admin', 'Deletes a channel.', { params: idInPath }),
};

export const channelBatchApi = {
  'DELETE /api/channel/disabled': route('admin', 'Deletes disabled channels; returns how many.', {
    data: count,
  }),
  'POST /api/channel/batch': route('admin', 'Deletes channels; returns how many.', {
    body: channelIdsBody,
    data: count,
    guards,
  }),
  'POST /api/channel/batch/tag': route('admin', 'Tags channels; "" removes the tag.', {
    body: channelIdsBody.extend({ tag: tagText.nullish() }),
    data: count,
    guards,
  }),
  /** Empty fields mean no change; an empty `new_tag` dissolves the tag. */
  'PUT /api/channel/tag': route('admin', 'Changes all channels of a tag.', {
    body: tagBody.extend({
      new_tag: tagText.nullish(),
      model_mapping: text,
      models: text,
      groups: text,
      priority: z.number().int().nullish(),
      weight: z.number().int().nullish(),
    }),
    guards,
  }),
  'POST /api/channel/tag/enabled': route('admin', 'Enables the channels of a tag.', {
    body: tagBody,
  }),
  'POST /api/channel/tag/disabled': route('admin', 'Disables the channels of a tag.', {
    body: tagBody,
  }),
};

export const channelTestApi = {
  'GET /api/channel/test/:id': route('admin', 'Tests a channel with a small request.', {
    params: idInPath,
    query: z.object({ model: tagText.optional() }),
    /** `time` in seconds; a failed test has `success: false`. */
    extra: z.object({ success: z.boolean(), message: z.string(), time: z.number() }),
    guards: ['no-cross-site'],
  }),
  'GET /api/channel/test': route('admin', 'Starts a test of all channels.', {
    guards: ['no-cross-site'],
  }),
};

export const channelBalanceApi = {
  'GET /api/channel/update_balance/:id': route('admin', 'Reads the balance of a channel.', {
    params: idInPath,
    /** In the currency of the provider. */
    extra: z.object({ balance: z.number() }),
    guards: ['no-cross-site'],
  }),
  'GET /api/channel/update_balance': route(
    'admin',
    'Starts to read the balances of all channels.',
    {
      guards: ['no-cross-site'],
    },
  ),
  'POST /api/channel/fix': route('admin', 'Returns 0: there is nothing to repair.', {
    data: count,
  }),
};

export const channelModelsApi = {
  'GET /api/channel/fetch_models/:id': route('admin', 'Lists the models of a channel upstream.', {
    params: idInPath,
    data: z.array(z.string()),
    guards: ['no-cross-site'],
  }),
  'POST /api/channel/fetch_models': route('admin', 'Lists the models of an unsaved channel.', {
    body: z.object({
      base_url: z.string().trim().max(2_048).nullish(),
      type: z.number().int(),
      key: z.string().min(1).max(100_000),
    }),
    data: z.array(z.string()),
    guards,
  }),
};
