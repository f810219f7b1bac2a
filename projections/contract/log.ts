import { z } from 'zod';
import { logTypes } from './codes.ts';
import { pageOf } from './envelope.ts';
import { dataQuery, logExportQuery, logFilterQuery, logFindQuery, logPageQuery } from './query.ts';
import { route } from './route.ts';

const logType = z.literal(Object.values(logTypes));
export type LogType = z.infer<typeof logType>;

const logRow = z.object({
  /** Unique; in answers to ordinary users an opaque number. */
  id: z.number().int(),
  user_id: z.number().int(),
  /** Unix seconds. */
  created_at: z.number().int(),
  type: logType,
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  token_id: z.number().int(),
  model_name: z.string(),
  /** Quota units. */
  quota: z.number().int(),
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  /** Whole seconds. */
  use_time: z.number().int(),
  /** The same in milliseconds. */
  duration_ms: z.number().int(),
  is_stream: z.boolean(),
  /** Channel id; 0 for ordinary users. */
  channel: z.number().int(),
  /** "" for ordinary users and for deleted channels. */
  channel_name: z.string(),
  group: z.string(),
  /** The request id that the client saw; "" where the entry has no request. */
  request_id: z.string(),
  /** JSON text of `logOther`, or "". */
  other: z.string(),
});
export type LogRow = z.infer<typeof logRow>;
const logRows = z.array(logRow);

const step = z.object({
  /** Text key of the line. */
  label: z.string(),
  /** Tokens, or calls for a price per call. */
  quantity: z.number(),
  /** Product of the factors, exact decimal text; "" for a rounding. */
  ratio: z.string(),
  factors: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Quota units, exact decimal text; the sum rounds to the amount. */
  units: z.string(),
});
export const priceStep = step;
export type PriceStepRow = z.infer<typeof priceStep>;

/** Inside `other` of a consume entry; members appear where they apply. */
export const logOther = z.object({
  model_ratio: z.number().optional(),
  /** USD per call, -1 when billed by ratio. */
  model_price: z.number().optional(),
  completion_ratio: z.number().optional(),
  group_ratio: z.number().optional(),
  cache_tokens: z.number().optional(),
  cache_ratio: z.number().optional(),
  cache_creation_tokens: z.number().optional(),
  cache_creation_ratio: z.number().optional(),
  /** Milliseconds to the first output, -1000 when there was none. */
  frt: z.number().optional(),
  claude: z.boolean().optional(),
  /** Tokens of audio and of text next to it. */
  audio: z.boolean().optional(),
  /** An answer of a realtime session. */
  ws: z.boolean().optional(),
  audio_input: z.number().optional(),
  audio_output: z.number().optional(),
  text_input: z.number().optional(),
  text_output: z.number().optional(),
  audio_ratio: z.number().optional(),
  audio_completion_ratio: z.number().optional(),
  /** `image_output`: tokens of pictures in the prompt, by the name that clients expect. */
  image: z.boolean().optional(),
  image_output: z.number().optional(),
  image_ratio: z.number().optional(),
  /** Requested pictures. */
  image_count: z.number().optional(),
  image_size: z.string().optional(),
  image_quality: z.string().optional(),
  /** Requested seconds of video. */
  video_seconds: z.number().optional(),
  video_size: z.string().optional(),
  /** Of a batch: what the price of a single call was multiplied by. */
  batch_ratio: z.number().optional(),
  /** Calls of the provider's own tools; prices in USD per 1,000 calls. */
  web_search: z.boolean().optional(),
  web_search_call_count: z.number().optional(),
  web_search_price: z.number().optional(),
  file_search: z.boolean().optional(),
  file_search_call_count: z.number().optional(),
  file_search_price: z.number().optional(),
  reasoning_effort: z.string().optional(),
  is_model_mapped: z.boolean().optional(),
  upstream_model_name: z.string().optional(),
  /** How the request ended, when not completely. */
  end: z.string().optional(),
  /** `counted` when upstream reported no usage. */
  usage_source: z.string().optional(),
  usage_note: z.string().optional(),
  /** Of error entries. */
  status_code: z.number().optional(),
  error_type: z.string().optional(),
  error_code: z.string().optional(),
  /** Calculation of the amount, line by line. */
  price_steps: z.array(step).optional(),
  admin_info: z.object({ use_channel: z.array(z.string()) }).optional(),
  /** Quota units, signed: of a movement that is no charge. */
  amount: z.number().optional(),
  /** User id of the administrator who did it; for admins. */
  operator_id: z.string().optional(),
});
export type LogOther = z.infer<typeof logOther>;

const logPage = pageOf(logRow);

/** Of consume entries. */
const logStat = z.object({
  /** Quota units in the range. */
  quota: z.number().int(),
  /** Entries in the last 60 seconds. */
  rpm: z.number().int(),
  /** Tokens in the last 60 seconds. */
  tpm: z.number().int(),
  /** Tokens in the range. */
  token: z.number().int(),
});

/** `created_at` is the start of the hour. */
const dataRow = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  username: z.string(),
  model_name: z.string(),
  created_at: z.number().int(),
  token_used: z.number().int(),
  count: z.number().int(),
  quota: z.number().int(),
});
export type DataRow = z.infer<typeof dataRow>;

const range = { query: logFilterQuery, data: logStat };
const usage = { query: dataQuery, data: z.array(dataRow) };

export const logApi = {
  'GET /api/log/': route('admin', 'Lists the usage log.', { query: logPageQuery, data: logPage }),
  'GET /api/log/self': route('user', 'Lists the own usage log.', {
    query: logPageQuery,
    data: logPage,
  }),
  'GET /api/log/find': route('admin', 'Finds calls by request id.', {
    query: logFindQuery,
    data: logRows,
  }),
  'GET /api/log/self/find': route('user', 'Finds own calls by request id.', {
    query: logFindQuery,
    data: logRows,
  }),
  'GET /api/log/token': route('token', 'Lists what the key was used for.', { data: logRows }),
  'GET /api/log/export': route('admin', 'Exports the usage log, by the filters of the list.', {
    query: logExportQuery,
    row: logRow,
  }),
  'GET /api/log/self/export': route('user', 'Exports the own usage log.', {
    query: logExportQuery,
    row: logRow,
  }),
  'GET /api/log/stat': route('admin', 'Sums the usage log under a filter.', range),
  'GET /api/log/self/stat': route('user', 'Sums the own usage log under a filter.', range),
  'GET /api/data/': route('admin', 'Returns usage by model and hour.', usage),
  'GET /api/data/self': route('user', 'Returns own usage by model and hour.', usage),
};
