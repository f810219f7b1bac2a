import type { ApiError } from './api-error.ts';

/** What an error has wherever it is made. `text`: what it means; an error may have a message that says more. */
type Terms = Omit<ApiError, 'message' | 'code' | 'type' | 'param' | 'reason'> &
  Readonly<{ text: string; type?: string }>;

/** Every error of the gateway's own making; infra/reference/errors.md lists them. */
export const relayErrors = {
  account_deactivated: { status: 403, text: 'The owner of the API key is banned' },
  account_unavailable: { status: 500, text: 'The owner of the API key does not exist' },
  ambiguous_member: {
    status: 400,
    text: 'A member differs from one of the API only in case, width or escapes',
  },
  api_not_implemented: { status: 501, text: 'This API is not implemented' },
  bad_response_body: {
    status: 502,
    text: 'The upstream answered with something that cannot be read',
  },
  bad_response_encoding: {
    status: 502,
    text: 'The upstream answered in an encoding that is not supported',
  },
  batch_channel_closed: {
    status: 400,
    text: 'The channel of the file takes no batches now: upload the file again',
  },
  batch_channel_gone: { status: 404, text: 'The channel of the file or batch is gone' },
  batch_not_ended: { status: 400, text: 'The batch has not ended yet' },
  batch_not_found: { status: 404, text: 'There is no batch of this id' },
  batches_not_offered: { status: 400, text: 'No channel of the model takes batches by this API' },
  cache_channel_gone: {
    status: 404,
    text: 'The channel that holds this cached content is gone, or does not serve you any longer',
  },
  cache_of_other_model: { status: 400, text: 'The cached content is of another model' },
  cache_ttl_too_long: { status: 400, text: 'The cached content would be kept for too long' },
  cached_content_not_found: { status: 404, text: 'There is no cached content of this name' },
  caches_not_offered: { status: 400, text: 'No channel of the model has cached contents' },
  caches_unavailable: {
    status: 503,
    text: 'Cached contents cannot be reached, try again',
    retryAfterSeconds: 1,
  },
  channel_configuration_error: { status: 500, text: 'The channel is not configured completely' },
  channel_disabled: { status: 403, text: 'The channel is disabled' },
  channel_not_allowed: { status: 403, text: 'Only administrators may pick a channel with the key' },
  client_closed_request: { status: 499, text: 'The client went away' },
  context_length_exceeded: {
    status: 400,
    text: 'The prompt is longer than any channel of the model takes',
  },
  conversation_full: {
    status: 400,
    text: 'The conversation is as long as it may be: begin a new one, or delete items of it',
  },
  conversation_locked: {
    status: 409,
    text: 'Another process is currently operating on this conversation. Please retry in a few seconds.',
  },
  conversation_not_updated: {
    status: 502,
    text: 'A response could not be added to its conversation',
  },
  conversations_not_kept: { status: 400, text: 'Conversations are not kept by this gateway' },
  do_request_failed: { status: 500, text: 'The request to the upstream address failed' },
  empty_file: { status: 400, text: 'The file is empty' },
  file_not_fetched: { status: 502, text: 'The provider did not send the file' },
  file_not_found: { status: 404, text: 'There is no file of this id' },
  file_too_large: { status: 413, text: 'The file is larger than allowed' },
  gateway_busy: {
    status: 503,
    text: 'The gateway has too many large requests, try again',
    retryAfterSeconds: 2,
  },
  group_deprecated: { status: 403, text: 'The group of the API key no longer exists' },
  group_not_allowed: { status: 403, text: 'The group is not open to the caller' },
  insufficient_quota: {
    status: 429,
    text: 'The quota left does not cover this call',
    type: 'insufficient_quota',
    statuses: { claude: 402, cohere: 402, ollama: 402 },
    isFinal: true,
  },
  internal_error: { status: 500, text: 'The gateway failed on this request' },
  invalid_api_key: { status: 401, text: 'There is no API key, or it cannot be used' },
  invalid_api_type: {
    status: 400,
    text: 'The provider of the channel does not offer this kind of call',
  },
  invalid_audio_request: {
    status: 400,
    text: 'The call for sound cannot be served as it is written',
  },
  invalid_base_url: { status: 500, text: 'The channel has no usable base URL' },
  invalid_channel_id: { status: 400, text: 'The channel that the key names does not exist' },
  invalid_encoding: { status: 400, text: 'The file is not written in UTF-8' },
  invalid_image_request: {
    status: 400,
    text: 'The call for pictures cannot be served as it is written',
  },
  invalid_json_line: { status: 400, text: 'A line of the file is no JSON object' },
  invalid_purpose: { status: 400, text: 'Files are taken for batches alone' },
  invalid_request: { status: 400, text: 'The body of the call cannot be used' },
  invalid_request_body: { status: 400, text: 'The body of the call cannot be read' },
  invalid_setup: {
    status: 400,
    text: 'The first message of a session must be its setup and name a model',
  },
  invalid_text_request: { status: 400, text: 'The body of the call cannot be used' },
  invalid_type: { status: 400, text: 'A member has another type than expected' },
  invalid_value: { status: 400, text: 'A member has a value that is not offered' },
  ip_not_allowed: { status: 403, text: 'Your address is not on the list of this API key' },
  key_check_unavailable: {
    status: 503,
    text: 'The API key cannot be checked now, try again',
    retryAfterSeconds: 1,
  },
  key_in_navigation: {
    status: 403,
    text: 'A page may not open this address with an API key in it; send the key in a header',
  },
  line_too_long: { status: 400, text: 'A line of the file is too long' },
  mismatched_endpoint: { status: 400, text: 'The requests of a batch must be for its endpoint' },
  mismatched_model: { status: 400, text: 'The requests of a batch must be for one model' },
  missing_file: { status: 400, text: 'The form has no file' },
  missing_model: { status: 400, text: 'The call names no model' },
  model_mapped_error: { status: 500, text: 'The model mapping of the channel cannot be used' },
  model_not_allowed: { status: 403, text: 'This API key may not use the model' },
  model_not_found: {
    status: 404,
    text: 'The model does not exist, or is not served to the group of the call',
  },
  model_price_error: {
    status: 400,
    text: 'The model has no price; the administrator has to set one',
  },
  model_unavailable: {
    status: 503,
    text: 'Every channel of the model is disabled now',
    retryAfterSeconds: 5,
  },
  mutually_exclusive_parameters: { status: 400, text: 'Two members exclude each other' },
  not_found: { status: 404, text: 'There is no response of this id' },
  param_override_unmarshal_failed: {
    status: 500,
    text: 'The parameter override of the channel is not JSON',
  },
  previous_response_not_found: { status: 400, text: 'There is no earlier response of this id' },
  query_task_failed: { status: 503, text: 'This cannot be served now, try again' },
  quota_unavailable: {
    status: 503,
    text: 'Quota cannot be reserved now, try again',
    retryAfterSeconds: 1,
  },
  rate_limit_exceeded: { status: 429, text: 'A limit of requests or tokens is reached' },
  relay_not_ready: { status: 503, text: 'The relay takes no requests now', retryAfterSeconds: 1 },
  relay_stopping: { status: 503, text: 'The relay is stopping; open a new session' },
  remix_not_offered: { status: 400, text: 'The provider of this video has no remix' },
  request_memory_exhausted: {
    status: 503,
    text: 'The gateway holds as many request bodies as it can, try again in a moment',
    retryAfterSeconds: 1,
  },
  request_too_large: { status: 413, text: 'The call is larger than allowed' },
  response_failed: { status: 502, text: 'The upstream failed on this answer' },
  responses_unavailable: {
    status: 503,
    text: 'Kept responses cannot be reached, try again',
    retryAfterSeconds: 1,
  },
  results_expired: { status: 404, text: 'The provider no longer has this file' },
  sensitive_words_detected: { status: 400, text: 'The text holds words that are not allowed here' },
  session_not_found: { status: 404, text: 'No session can be resumed with this handle' },
  session_timeout: { status: 504, text: 'The session was silent or open for too long' },
  session_type_not_allowed: { status: 400, text: 'Sessions of this type are not offered' },
  setup_timeout: { status: 408, text: 'The session was not set up in time' },
  too_many_large_requests: {
    status: 429,
    text: 'Too many large requests at a time, try again',
    retryAfterSeconds: 2,
  },
  too_many_messages: { status: 400, text: 'A list of the body holds too many entries' },
  too_many_requests: { status: 400, text: 'A batch holds too many requests' },
  unknown_parameter: { status: 400, text: 'The call has a member that is not supported' },
  unknown_path: { status: 404, text: 'The gateway has no such path' },
  unsupported_encoding: { status: 415, text: 'Content-Encoding is not supported' },
  unsupported_model: { status: 400, text: 'The model is not offered for this kind of call' },
  unsupported_parameter: {
    status: 400,
    text: '`cachedContent` is not supported by the Responses API',
  },
  upgrade_required: { status: 426, text: 'This endpoint requires a WebSocket upgrade' },
  upstream_answer_too_large: {
    status: 504,
    text: 'The answer of the upstream is larger than allowed',
  },
  upstream_disconnected: { status: 502, text: 'The upstream closed the session' },
  upstream_timeout: { status: 504, text: 'The upstream did not answer in time' },
  upstream_unreachable: { status: 502, text: 'The upstream cannot be reached' },
  usage_not_recordable: {
    status: 503,
    text: 'Usage cannot be recorded now, try again later',
    retryAfterSeconds: 5,
  },
  video_channel_gone: { status: 404, text: 'The channel of the video is closed or gone' },
  video_expired: { status: 404, text: 'The provider no longer has this video' },
  video_not_fetched: { status: 502, text: 'The provider did not send the video' },
  video_not_finished: {
    status: 400,
    text: 'A video can be deleted when it is completed or has failed',
  },
  video_not_found: { status: 404, text: 'There is no video of this id' },
  video_not_ready: { status: 400, text: 'The video is not completed' },
  websocket_connection_limit_reached: {
    status: 400,
    text: 'This connection has reached its maximum duration. Open a new one to continue.',
  },
} as const satisfies Readonly<Record<string, Terms>>;

export type RelayErrorCode = keyof typeof relayErrors;

/** An error of our own making; never retried, never held against a channel. */
export const relayError = (code: RelayErrorCode, message?: string): ApiError => {
  const { text, ...terms }: Terms = relayErrors[code];
  return { type: 'tollgate_error', ...terms, message: message ?? text, code };
};

/** One that blames a member of the call. */
export const callError = (
  code: RelayErrorCode,
  message?: string,
  param: string | null = null,
): ApiError => ({ ...relayError(code, message), type: 'invalid_request_error', param });
