import type { PriceQuote } from '../../../domain/pricing/types.ts';
import { videoQuoteFor } from '../../../domain/pricing/video-quote.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import { readVideoProperties } from '../../../domain/task/video.ts';
import { admit, type Rules } from '../../admission/admit.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { wordIn } from '../../admission/sensitive-words.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { Tier } from '../../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import type { VideoOrder } from '../../providers/shared/videos/video-adapter.ts';
import { videoAdapterOf } from '../../providers/video-adapters.ts';
import { fitRoute, fitTiers } from '../fit-tiers.ts';
import type { Destination } from '../try-channels.ts';
import { ownVideo, videoNotFound } from './own-video.ts';
import { type GivenOrder, readOrder, readRemix } from './read-order.ts';

/** A new video, or a remix of the video `id`. */
export type VideoRequest = Readonly<{ id: string | null; caller: Caller; raw: Buffer }>;

/** A video that passed every check but the reservation. */
export type PlannedVideo = Destination &
  Readonly<{
    /** With the name that the caller requested. */
    order: VideoOrder;
    /** The video that is remade; null for a new one. */
    origin: FoundTask | null;
    group: string;
    quote: PriceQuote;
  }>;

export const noChannel = relayError('model_not_found');
const channelGone = relayError('video_channel_gone', 'The channel of this video is closed');
const noRemix = relayError('remix_not_offered');

/** The defaults are those of the channel that is called first, and named to every other one. */
const completed = (given: GivenOrder, channelType: number): VideoOrder | null => {
  const adapter = videoAdapterOf(channelType);
  if (adapter === undefined) return null;
  const { seconds, size } = adapter.defaults;
  return { ...given, seconds: given.seconds ?? seconds, size: given.size ?? size };
};

const problemAt = (given: GivenOrder, channelType: number): ApiError | null => {
  const order = completed(given, channelType);
  return order === null ? noChannel : (videoAdapterOf(channelType)?.problem(order) ?? null);
};

/** Why no channel can make it: the reason of the first one that makes videos. */
const refusalOf = (tiers: readonly Tier[], given: GivenOrder): ApiError => {
  const types = tiers.flatMap(({ channels }) => channels.map(({ type }) => type));
  const maker = types.find((type) => videoAdapterOf(type) !== undefined);
  return (maker === undefined ? null : problemAt(given, maker)) ?? noChannel;
};

/** A video as its caller wants it; of a remix, with the video that it remakes and its channel. */
type Wanted = Readonly<{
  given: GivenOrder;
  origin: FoundTask | null;
  place: UpstreamChannel | null;
}>;

/** A remix is made where its source video is, with the same length and size. */
const remixOf = async (
  core: RelayCore,
  caller: Caller,
  { id, prompt }: Readonly<{ id: string; prompt: string }>,
): Promise<Wanted | ApiError> => {
  const origin = await ownVideo(core, caller, id);
  const properties = origin === null ? null : readVideoProperties(origin.report.properties);
  if (origin === null || properties === null) return videoNotFound;
  const { model, seconds, size } = properties;
  const place = core.channels.table().channel(origin.channelId);
  if (place?.enabled !== true) return channelGone;
  if (videoAdapterOf(place.type)?.remix === undefined) return noRemix;
  return { given: { prompt, model, seconds, size, picture: null }, origin, place };
};

const wantedOf = async (
  core: RelayCore,
  { id, caller, raw }: VideoRequest,
  contentType: string,
): Promise<Wanted | ApiError> => {
  if (id === null) {
    const given = readOrder(raw, contentType);
    return isApiError(given) ? given : { given, origin: null, place: null };
  }
  const prompt = readRemix(raw, contentType);
  return isApiError(prompt) ? prompt : remixOf(core, caller, { id, prompt });
};

const rules: Rules<Wanted> = {
  fit: (_core, { call: { given, origin }, route }) => {
    if (origin !== null) return route;
    const isFit = (type: number): boolean => problemAt(given, type) === null;
    return fitRoute(route, isFit, (tiers) => refusalOf(tiers, given));
  },
  word: (words, { given }) => wordIn(words, given.prompt),
  quote: (prices, { call: { given }, caller, model, group, channel }) => {
    const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
    const size = completed(given, channel.type)?.size ?? '';
    return videoQuoteFor(prices, { model, group, size, acceptUnpriced });
  },
};

/** Admits a video; of a new one, what was left open is settled by the defaults of its first channel. */
export const planVideo = async (
  core: RelayCore,
  incoming: Incoming,
  request: VideoRequest,
): Promise<PlannedVideo | ApiError> => {
  const contentType = incoming.req.headers['content-type'] ?? '';
  const wanted = await wantedOf(core, request, contentType);
  if (isApiError(wanted)) return wanted;
  const { given, origin, place } = wanted;
  const { caller } = request;
  const { model } = given;
  const admission = admit(core, incoming, {
    entry: 'video-order',
    caller,
    model,
    place,
    rules,
    call: wanted,
  });
  if (isApiError(admission)) return admission;
  const { group, route, channel, quote } = admission;
  const order = completed(given, channel.type);
  if (order === null || quote.kind !== 'price') return noChannel;
  const tiers = fitTiers(route.tiers, (type) => videoAdapterOf(type)?.problem(order) === null);
  return { order, origin, channel, tiers, group, quote };
};
