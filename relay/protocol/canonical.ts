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

/** A call in OpenAI's own shape, which is the canonical form between ingress and provider. */
export type OpenAiCall = Readonly<{
  operation: TranslatedOperation;
  /** With query, beginning with `/v1/`. */
  path: string;
  /** The name that the client asked for; prices and logs go by it. */
  requestedModel: string;
  /** After the channel's mapping. */
  upstreamModel: string;
  body: JsonObject;
  isStream: boolean;
  /** Multipart form of audio and image uploads; null for JSON calls. */
  form: FormData | null;
}>;
