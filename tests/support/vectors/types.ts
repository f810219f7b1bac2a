import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../../relay/protocol/canonical.ts';

export type RequestExample = Readonly<{
  method?: string;
  origin?: string;
  path?: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  body_raw?: string;
}>;

export type Exchange = Readonly<{ request: RequestExample; response: unknown }>;

export type ChannelExample = Readonly<{
  type: number;
  key: unknown;
  base_url: string;
  other: string;
  openai_organization?: string;
  setting?: JsonObject;
  settings?: JsonObject;
  /** Unix seconds. */
  created_time?: number;
}>;

/** One recorded call: what the client asks, what goes up, what comes back, what the client sees. */
export type VectorCase = Readonly<{
  name: string;
  channel: ChannelExample;
  endpoint: string;
  openai_request: JsonObject;
  upstream_request: RequestExample | null;
  upstream_status?: number;
  upstream_response: unknown;
  upstream_response_headers?: Readonly<Record<string, string>>;
  upstream_stream: readonly string[] | null;
  upstream_frames_base64?: readonly string[];
  openai_status?: number;
  openai_response: JsonObject | null;
  openai_stream: readonly string[] | null;
  extra_exchanges?: readonly Exchange[] | null;
}>;

export type VectorFile = Readonly<{
  family: string;
  /** Unix seconds; the time at which all of it happens. */
  clock: number;
  cases: readonly VectorCase[];
}>;

export const loadVectors = (url: URL): VectorFile => {
  const file: VectorFile = JSON.parse(readFileSync(url, 'utf8'));
  return file;
};
