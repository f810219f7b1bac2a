/** Parsed JSON whose unknown members must survive a translation. */
export type JsonObject = { [member: string]: unknown };

export type TranslatedOperation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'images'
  | 'rerank'
  | 'speech'
  | 'transcription'
  | 'moderations';

/** A tool of the Responses API under the name that it has as a function of a chat. */
export type NamedTool = Readonly<{
  name: string;
  kind: 'function' | 'custom';
  own: string;
  namespace?: string;
}>;

/** What a response repeats of its request. */
export type ResponseTerms = Readonly<{
  /** Members that it repeats. */
  echo: JsonObject;
  /** Tools that are no plain functions of their own name. */
  tools: readonly NamedTool[];
}>;

/** A call in OpenAI's own shape, which is the canonical form between ingress and provider. */
export type OpenAiCall = Readonly<{
  operation: TranslatedOperation;
  /** With query, beginning with `/v1/`. */
  path: string;
  /** The name that the client requested; prices and logs use it. */
  requestedModel: string;
  /** After the channel's mapping. */
  upstreamModel: string;
  body: JsonObject;
  isStream: boolean;
  /** Multipart form of audio and image uploads; null for JSON calls. */
  form: FormData | null;
  /** Set where the caller uses the Responses API. */
  response?: ResponseTerms;
  /** The caller's protocol is the provider's. */
  isOwn?: true;
}>;
