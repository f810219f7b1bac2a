import { maxKeepHours } from '../../relay/response-bucket.ts';
import { bool, int, json, lines, number, type OptionDefinition } from '../definition.ts';

/** What relays do: health of channels, retries, content filter, limits, single providers. */
export const relayOptions = {
  AutomaticDisableChannelEnabled: bool(false),
  AutomaticEnableChannelEnabled: bool(false),
  ChannelDisableThreshold: number(5, { unit: 'seconds' }),
  AutomaticDisableKeywords: lines([
    'credit balance is too low',
    'organization has been disabled',
    'exceeded your current quota',
    'permission denied',
    'security token included in the request is invalid',
    'operation not allowed',
    'account is not authorized',
  ]),
  RetryTimes: int(0, { max: 100 }),
  StreamCacheQueueLength: int(0),
  CheckSensitiveEnabled: bool(true),
  CheckSensitiveOnPromptEnabled: bool(true),
  CheckSensitiveOnCompletionEnabled: bool(false),
  StopOnSensitiveEnabled: bool(true),
  SensitiveWords: lines(['test_sensitive']),
  ModelRequestRateLimitEnabled: bool(false),
  /** 0 and -1 mean no limit: the form of the field starts with -1. */
  ModelRequestRateLimitCount: int(0, { min: -1, unit: 'requests' }),
  ModelRequestRateLimitSuccessCount: int(1000, { min: 1, unit: 'requests' }),
  ModelRequestRateLimitDurationMinutes: int(1, { unit: 'minutes' }),
  ModelRequestRateLimitGroup: json('group-limits', {}),
  /** Each user by himself: by id, `group:` and a group's name, or `*`. */
  'call_limits.users': json('user-call-limits', {}),
  /** All calls in a group together; `*`: each other group. */
  'call_limits.groups': json('call-limits', {}),
  /** All calls for a model together; `*`: each other model. */
  'call_limits.models': json('call-limits', {}),
  /** Most input of a call of a model whose size is not in its body; else the model's window. */
  'open_calls.input_tokens': json('token-counts', {}),
  /** Most output of a call of a model that names no limit; else the model's own. */
  'open_calls.output_tokens': json('token-counts', {}),
  /** The share of what such a call may cost below which it is refused. */
  'open_calls.floor': number(0.1, { min: 0, max: 1, unit: 'share' }),
  MjNotifyEnabled: bool(false),
  MjAccountFilterEnabled: bool(false),
  MjModeClearEnabled: bool(false),
  MjForwardUrlEnabled: bool(true),
  MjActionCheckSuccessEnabled: bool(true),
  'gemini.safety_settings': json('texts', {
    default: 'OFF',
    HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE',
  }),
  'gemini.version_settings': json('texts', { default: 'v1beta', 'gemini-1.0-pro': 'v1' }),
  'gemini.supported_imagine_models': json('names', [
    'gemini-2.0-flash-exp-image-generation',
    'gemini-2.0-flash-exp',
  ]),
  'gemini.thinking_adapter_enabled': bool(false),
  'gemini.thinking_adapter_budget_tokens_percentage': number(0.6, {
    min: 0.1,
    max: 1,
    unit: 'share',
  }),
  'claude.model_headers_settings': json('model-headers', {}),
  'claude.default_max_tokens': json('token-counts', {
    default: 8192,
    'claude-3-haiku-20240307': 4096,
    'claude-3-opus-20240229': 4096,
  }),
  'claude.thinking_adapter_enabled': bool(true),
  'claude.thinking_adapter_budget_tokens_percentage': number(0.8, {
    min: 0.1,
    max: 1,
    unit: 'share',
  }),
  'global.pass_through_request_enabled': bool(false),
  'batches.max_file_mb': int(100, { min: 1, max: 200 }),
  'responses.keep_hours': int(maxKeepHours, { min: 0, max: maxKeepHours, unit: 'hours' }),
  'general_setting.ping_interval_enabled': bool(false),
  'general_setting.ping_interval_seconds': int(60, { min: 1, unit: 'seconds' }),
  'general_setting.drain_after_disconnect': bool(true),
  /** The four below are kept for stored values; nothing reads them. */
  FileUploadPermission: int(0, { max: 100 }),
  FileDownloadPermission: int(0, { max: 100 }),
  ImageUploadPermission: int(0, { max: 100 }),
  ImageDownloadPermission: int(0, { max: 100 }),
} satisfies Record<string, OptionDefinition>;
