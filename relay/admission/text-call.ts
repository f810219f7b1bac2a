import type { IncomingHttpHeaders } from 'node:http';
import type { Protocol } from '../protocol/caller-protocol.ts';
import type { CallMedia, TextCall, TextOperation } from '../protocol/calls.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { isMedia, producesText } from '../protocol/operations.ts';
import type { Incoming } from './admitted.ts';
import type { Caller } from './caller.ts';
import { isMediaStream } from './check-media.ts';
import { isStreamed, refusesStream } from './validate.ts';

/** What the path of a text call determines. */
export type TextRoute = Readonly<{
  kind: 'text';
  operation: TextOperation;
  protocol: Protocol;
  path: string;
  /** Set where the path carries them instead of the body. */
  model?: string;
  /** Where neither does the body. */
  fallbackModel?: string;
  isStream?: boolean;
}>;

/** A text call as its ingress describes it. */
export type TextIngress = Readonly<{
  entry: 'text' | 'playground';
  route: TextRoute;
  caller: Caller;
  /** Error code for a missing model, where it is not the common one. */
  noModelCode?: string;
}>;

const headerText = (value: string | string[] | undefined, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

/** Version of the Messages API that the caller uses. */
const claudeHeaders = (headers: IncomingHttpHeaders): readonly string[] =>
  ['anthropic-version', 'anthropic-beta'].flatMap((name) => {
    const value = headerText(headers[name], '');
    return value === '' ? [] : [name, value];
  });

/** A body, the model that it requests, and what its estimate is computed from. */
export type Measured = Readonly<{
  given: ScannedBody;
  model: string;
  media: CallMedia | undefined;
}>;

const streams = (
  { operation, protocol, path, isStream }: TextRoute,
  given: ScannedBody,
): boolean => {
  if (isStream !== undefined) return isStream;
  if (isMedia(operation)) return isMediaStream({ operation, path, model: '' }, given);
  if (protocol === 'ollama' && operation === 'chat') return !refusesStream(given.body, given.scan);
  return producesText(operation) && isStreamed(given.body, given.scan);
};

/** The call as providers' adapters see it. */
export const callOf = (
  { req }: Incoming,
  route: TextRoute,
  { given, model, media }: Measured,
): TextCall => {
  const { body, scan, form } = given;
  const url = req.url ?? '';
  const query = url.indexOf('?');
  const plain: TextCall = {
    operation: route.operation,
    protocol: route.protocol,
    path: query === -1 ? route.path : route.path + url.slice(query),
    clientPath: query === -1 ? url : url.slice(0, query),
    model,
    body,
    scan,
    isStream: streams(route, given),
    contentType: headerText(req.headers['content-type'], 'application/json'),
    accept: headerText(req.headers.accept, ''),
  };
  // A spread on the hot path costs as much as the scan of a body.
  if (route.protocol === 'claude') return { ...plain, ownHeaders: claudeHeaders(req.headers) };
  if (media === undefined) return plain;
  return form === undefined ? { ...plain, media } : { ...plain, media, form };
};
