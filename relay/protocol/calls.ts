import type { Protocol } from './caller-protocol.ts';
import type { BodyScan } from './scan-body.ts';
import type { FormScan } from './scan-form.ts';

/** What a caller may request from a provider in the text family. */
export type TextOperation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'responses'
  | 'moderations'
  | 'rerank'
  | MediaOperation;

/** Pictures and sound: requests may be forms, answers may be files. */
export type MediaOperation = 'images' | 'speech' | 'transcription';

/** What a call for pictures or sound is measured by. */
export type CallMedia = Readonly<{
  /** Pictures that are requested. */
  pictures: number;
  /** As requested; "" where it is missing. */
  size: string;
  quality: string;
  /** What the input counts for where no tokenizer is needed: characters, time. */
  inputTokens: number | null;
  /** The upper bound of output tokens that a valid answer can report. */
  maxReportedOutputTokens: number;
}>;

/** A call as the ingress hands it on: the caller's own bytes and what was read out of them. */
export type TextCall = Readonly<{
  operation: TextOperation;
  /** The caller's protocol; bodies have its shape. */
  protocol: Protocol;
  /** With query, as the provider of that protocol has it. */
  path: string;
  /** Without query, as the client sent it. */
  clientPath: string;
  /** The name that the client requested. */
  model: string;
  body: Buffer;
  scan: BodyScan;
  isStream: boolean;
  contentType: string;
  /** "" when the client sent none. */
  accept: string;
  /** The caller's own headers of its protocol, names and values in turn. */
  ownHeaders?: readonly string[];
  /** Where the body is a form. */
  form?: FormScan;
  /** Of calls for pictures and sound. */
  media?: CallMedia;
  /** An answer of a spoken session, whose input is the whole session before it. */
  isSession?: true;
}>;
