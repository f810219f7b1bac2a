import { pipeline } from 'node:stream/promises';
import type { FoundTask } from '../../../domain/task/messages.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { writeAnswerHead } from '../../protocol/answer-head.ts';
import { isFilm } from '../../protocol/answer-types.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import { textAt } from '../../protocol/json.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import { baseAddress } from '../../providers/shared/base-address.ts';
import {
  type VideoAdapter,
  type VideoVariant,
  videoProblem,
  videoVariants,
} from '../../providers/shared/videos/video-adapter.ts';
import { videoAdapterOf } from '../../providers/video-adapters.ts';
import type { Download, DownloadRequest } from '../../upstream/download.ts';
import { prepared, withOverrides } from '../call-provider.ts';
import { placeIn, reportedData } from '../own-task.ts';
import { isGone } from '../provider-reply.ts';
import { contextOf } from './call-adapter.ts';
import { inlineVideo } from './inline-video.ts';
import { ownVideo, videoNotFound } from './own-video.ts';

type Asked = Readonly<{ caller: Caller; id: string }>;
type Source = Pick<DownloadRequest, 'url' | 'headers' | 'publicOnly' | 'body'> &
  Readonly<{
    /** Of a provider whose files redirect to where they are. */
    redirected?: (url: string) => Source;
    /** The member of a JSON answer that is the video. */
    inline?: string;
  }>;

const notReady = relayError('video_not_ready');
const channelGone = relayError('video_channel_gone', 'The channel of this video is gone');
const notFetched = relayError('video_not_fetched');
const noVariant = videoProblem('variant', 'The provider of this video offers the video alone');

const passedHeaders = ['content-type', 'content-length', 'content-range', 'accept-ranges'] as const;

const variantOf = ({ req }: Incoming): VideoVariant | ApiError => {
  const name = new URL(req.url ?? '', 'http://relay').searchParams.get('variant') ?? 'video';
  const variant = videoVariants.find((one) => one === name);
  return variant ?? videoProblem('variant', `variant must be one of ${videoVariants.join(', ')}`);
};

type Wanted = Readonly<{ adapter: VideoAdapter; task: FoundTask; variant: VideoVariant }>;

/** The host of the channel, and its headers where its own files need them. */
type Host = Readonly<{ origin: string; headers: Source['headers'] }>;

/**
 * An address in a provider's answer is followed on the open internet alone, but for the host of the
 * channel itself, which its operator has chosen.
 */
export const ofAddress = (url: string, { origin, headers }: Host): Source => {
  const isOwn = URL.canParse(url) && new URL(url).origin === origin;
  return { url, headers: isOwn ? headers : {}, publicOnly: !isOwn };
};

/** From a call that the provider has for it; null: it has none. */
const asked = async (
  core: RelayCore,
  channel: UpstreamChannel,
  { adapter, task, variant }: Wanted,
): Promise<Source | ApiError | null> => {
  const { content, inlineVideo: inline } = adapter;
  if (content === undefined) return null;
  const make = () => content(task.upstreamId, variant, contextOf(core, channel));
  const call = await prepared(core, channel, make);
  if (isApiError(call)) return call;
  const base = baseAddress(channel, call.baseUrl ?? adapter.baseUrl);
  if (isApiError(base)) return channelGone;
  const source = { url: `${base.origin}${base.prefix}${call.path}`, publicOnly: false };
  if (inline === undefined) return { ...source, headers: withOverrides(call.headers, channel) };
  const own = { ...call.headers, 'content-type': 'application/json' };
  const body = JSON.stringify(call.body);
  return { ...source, headers: withOverrides(own, channel), body, inline };
};

const sourceOf = async (
  core: RelayCore,
  channel: UpstreamChannel,
  { adapter, task, variant }: Wanted,
): Promise<Source | ApiError> => {
  const isAlone = adapter.content === undefined || adapter.inlineVideo !== undefined;
  if (isAlone && variant !== 'video') return noVariant;
  const called = await asked(core, channel, { adapter, task, variant });
  if (called !== null) return called;
  const base = baseAddress(channel, adapter.baseUrl);
  if (isApiError(base)) return channelGone;
  const url = textAt(reportedData(task), 'url');
  if (url === '') return notFetched;
  if (adapter.fileHeaders === undefined) return ofAddress(url, { ...base, headers: {} });
  const own = withOverrides(adapter.fileHeaders(contextOf(core, channel)), channel);
  const host = { origin: base.origin, headers: own };
  return { ...ofAddress(url, host), redirected: (next) => ofAddress(next, host) };
};

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 3;

/** @throws when there is no answer in time, or an address is not allowed */
const followed = async (
  source: Source,
  fetched: (source: Source) => Promise<Download>,
): Promise<Download> => {
  let at = source;
  let download = await fetched(at);
  for (let count = 0; count < maxRedirects && redirects.has(download.status); count += 1) {
    const { location = '' } = download.headers;
    if (source.redirected === undefined || location === '') break;
    download.body.destroy();
    at = source.redirected(new URL(location, at.url).href);
    download = await fetched(at);
  }
  return download;
};

const open = async (
  core: RelayCore,
  incoming: Incoming,
  { source, channel }: Readonly<{ source: Source; channel: UpstreamChannel }>,
): Promise<Download | null> => {
  const { res, req, requestId } = incoming;
  const ended = new AbortController();
  res.on('close', () => ended.abort());
  const { range } = req.headers;
  const own = range === undefined || source.inline !== undefined ? {} : { range };
  const { signal } = ended;
  const fetched = (at: Source): Promise<Download> =>
    core.openDownload({ ...at, headers: { ...at.headers, ...own }, proxy: channel.proxy, signal });
  try {
    const download = await followed(source, fetched);
    if (source.inline === undefined || download.status !== 200) return download;
    return await inlineVideo(download, source.inline);
  } catch (error) {
    core.logger.warn({ requestId, error: String(error) }, 'a video could not be fetched');
    return null;
  }
};

const isWhole = ({ status, headers }: Download): boolean =>
  (status === 200 || status === 206) && isFilm(headers['content-type'] ?? '');

/** As fast as the caller reads it, and no faster. */
const pass = async (incoming: Incoming, download: Download): Promise<void> => {
  const headers = ['Cache-Control', 'private, no-store'];
  for (const name of passedHeaders) {
    const value = download.headers[name];
    if (value !== undefined) headers.push(name, value);
  }
  writeAnswerHead(incoming, download.status, headers);
  await pipeline(download.body, incoming.res);
};

const failureOf = (download: Download): ApiError =>
  isGone(download) ? relayError('video_expired') : notFetched;

/** GET /v1/videos/{id}/content, streamed through. Not charged: the video was paid for when it was made. */
export const serveContent = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, id }: Asked,
): Promise<void> => {
  const fail = (error: ApiError) => sendError(incoming.res, error, incoming.requestId);
  const variant = variantOf(incoming);
  if (isApiError(variant)) return fail(variant);
  const task = await ownVideo(core, caller, id);
  if (task === null) return fail(videoNotFound);
  if (task.report.status !== 'SUCCESS') return fail(notReady);
  const place = placeIn(core, task, videoAdapterOf);
  if (place === null) return fail(channelGone);
  const { channel, adapter } = place;
  const source = await sourceOf(core, channel, { adapter, task, variant });
  if (isApiError(source)) return fail(source);
  const download = await open(core, incoming, { source, channel });
  if (download === null) return fail(notFetched);
  if (!isWhole(download)) {
    download.body.destroy();
    return fail(failureOf(download));
  }
  // A line that breaks ends the caller's line too: half a video is no answer.
  await pass(incoming, download).catch(() => incoming.res.destroy());
};
