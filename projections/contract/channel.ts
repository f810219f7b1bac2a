import { z } from 'zod';
import { nameList } from './envelope.ts';
import { channelListQuery, channelSearchQuery, idParams } from './query.ts';
import { route } from './route.ts';

/** JSON-valued fields are JSON text, "" when unset. */
const channelRow = z.object({
  id: z.number().int(),
  type: z.number().int(),
  /** Never returned. */
  key: z.literal(''),
  name: z.string(),
  /** 1 enabled, 2 disabled manually, 3 disabled automatically. */
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
  /** The remaining balance that the provider reports, in the provider's currency. */
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
  /** What the provider charges, as a decimal ratio of the list price; "": unknown. */
  cost_ratio: z.string(),
});
export type ChannelRow = z.infer<typeof channelRow>;

const catalogueModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
  permission: z.array(z.unknown()),
  root: z.string(),
  parent: z.null(),
});
export type CatalogueModel = z.infer<typeof catalogueModel>;

const channelType = z.object({
  /** `type` of a channel. */
  id: z.number().int(),
  label: z.object({ zh: z.string(), en: z.string() }),
  colour: z.enum([
    'blue',
    'green',
    'grey',
    'indigo',
    'light-blue',
    'orange',
    'pink',
    'purple',
    'teal',
    'violet',
  ]),
  /** May a new channel be of this type? */
  offered: z.boolean(),
  /** Default address of a channel; "" when there is none. */
  base_url: z.string(),
  base_url_required: z.boolean(),
  /** What the address is, where it is more than another host for the same calls. */
  base_url_meaning: z.enum(['endpoint', 'full-url', 'private-url', 'suno-url']).nullable(),
  /** How a key is written; null: one piece of text. */
  key_form: z.string().nullable(),
  /** The key is one document of many lines, not one key on each line. */
  key_has_lines: z.boolean(),
  /** What the field `other` means; null: nothing. `default` is stored where it is left empty. */
  other: z
    .object({
      meaning: z.enum([
        'api-version',
        'model-version',
        'plugin-id',
        'knowledge-base-id',
        'account-id',
        'region',
        'agent-id',
      ]),
      required: z.boolean(),
      default: z.string(),
    })
    .nullable(),
  takes_organization: z.boolean(),
  warning: z.enum(['deployment-name', 'openai-gateway', 'apps-only']).nullable(),
  /** Where an account is opened, or null. */
  sign_up_url: z.string().nullable(),
  reads_balance: z.boolean(),
  lists_models: z.boolean(),
});
export type ChannelType = z.infer<typeof channelType>;

/** Channel type (as text) → names of its built-in models. */
const modelsByType = z.record(z.string(), z.array(z.string()));
export type ModelsByType = z.infer<typeof modelsByType>;

const channelList = z.array(channelRow);

export const channelApi = {
  'GET /api/channel/': route('admin', 'Lists channels; pages from 0.', {
    query: channelListQuery,
    data: channelList,
  }),
  'GET /api/channel/search': route('admin', 'Finds channels.', {
    query: channelSearchQuery,
    data: channelList,
  }),
  'GET /api/channel/models': route('admin', 'Lists the models of the catalogue, each id once.', {
    data: z.array(catalogueModel),
  }),
  'GET /api/channel/models_enabled': route('admin', 'Lists the models of enabled channels.', {
    data: nameList,
  }),
  'GET /api/channel/types': route('admin', 'Lists the channel types, in the order of the menu.', {
    data: z.array(channelType),
  }),
  'GET /api/channel/:id': route('admin', 'Returns a channel.', {
    params: idParams,
    data: channelRow,
  }),
  'GET /api/models': route('user', 'Lists the models of the catalogue by channel type.', {
    data: modelsByType,
  }),
  'GET /api/user/models': route('user', 'Lists the models that the caller may use.', {
    data: nameList,
  }),
};
