import type { PriceQuote } from '../../../domain/pricing/types.ts';
import { videoQuoteFor } from '../../../domain/pricing/video-quote.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import { readVideoProperties } from '../../../domain/task/video.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../../admission/access.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { unpriced } from '../../admission/refusals.ts';
import { sensitiveWords, wordIn } from '../../admission/sensitive-words.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { Tier } from '../../feeds/channel-directory.ts';
import { type ApiError, gatewayError, isApiError } from '../../protocol/api-error.ts';
import type { VideoOrder } from '../../providers/shared/videos/video-adapter.ts';
import { videoAdapterOf } from '../../providers/video-adapters.ts';
import { chooseChannel } from '../../routing/choose.ts';
import { fitTiers } from '../fit-tiers.ts';
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

type Wanted = Destination & Pick<PlannedVideo, 'order' | 'origin'>;
type Asker = Readonly<{ caller: Caller; group: string }>;

const noChannel = gatewayError(503, 'model_not_found', 'No channel makes videos of this model');
const channelGone = gatewayError(400, 'video_channel_gone', 'The channel of this video is closed');
const noRemix = gatewayError(400, 'remix_not_offered', 'The provider of this video has no remix');

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

const newVideo = (
  core: RelayCore,
  { caller, group }: Asker,
  given: GivenOrder,
): Wanted | ApiError => {
  const closed = checkModel(caller, given.model);
  if (closed !== null) return closed;
  const route = routeFor(caller, core.channels.table(), { group, model: given.model });
  if (isApiError(route)) return route;
  const all = route.pinned === null ? route.tiers : [{ priority: 0, channels: [route.pinned] }];
  const tiers = fitTiers(all, (type) => problemAt(given, type) === null);
  const channel = chooseChannel(tiers, []);
  const order = channel === null ? null : completed(given, channel.type);
  if (channel === null || order === null) return refusalOf(all, given);
  // What was left open is settled now: it is what the price is for.
  const same = fitTiers(tiers, (type) => videoAdapterOf(type)?.problem(order) === null);
  return { order, origin: null, channel, tiers: route.pinned === null ? same : [] };
};

/** A remix is made where its source video is, with the same length and size. */
const remix = async (
  core: RelayCore,
  { caller }: Asker,
  { id, prompt }: Readonly<{ id: string; prompt: string }>,
): Promise<Wanted | ApiError> => {
  const origin = await ownVideo(core, caller, id);
  const properties = origin === null ? null : readVideoProperties(origin.report.properties);
  if (origin === null || properties === null) return videoNotFound;
  const { model, seconds, size } = properties;
  const closed = checkModel(caller, model);
  if (closed !== null) return closed;
  const channel = core.channels.table().channel(origin.channelId);
  if (channel?.enabled !== true) return channelGone;
  if (videoAdapterOf(channel.type)?.remix === undefined) return noRemix;
  return { order: { prompt, model, seconds, size, picture: null }, origin, channel, tiers: [] };
};

const wantedOf = (
  core: RelayCore,
  asker: Asker,
  { id, raw, contentType }: Readonly<{ id: string | null; raw: Buffer; contentType: string }>,
): Promise<Wanted | ApiError> | Wanted | ApiError => {
  if (id === null) {
    const given = readOrder(raw, contentType);
    return isApiError(given) ? given : newVideo(core, asker, given);
  }
  const prompt = readRemix(raw, contentType);
  return isApiError(prompt) ? prompt : remix(core, asker, { id, prompt });
};

const checkWords = (core: RelayCore, caller: Caller, prompt: string): ApiError | null => {
  const words = core.options.current().filter.prompt;
  const word = words === null ? null : wordIn(words, prompt);
  if (word === null) return null;
  core.logger.warn({ userId: caller.account.userId, word }, 'a prompt holds a sensitive word');
  return sensitiveWords;
};

/**
 * The checks of a video, in their order: address of the token, group, body, model access, channels
 * that can make it, sensitive words, price.
 */
export const planVideo = async (
  core: RelayCore,
  incoming: Incoming,
  { id, caller, raw }: VideoRequest,
): Promise<PlannedVideo | ApiError> => {
  const barred = checkAddress(caller, core.clientAddress(incoming.req));
  if (barred !== null) return barred;
  const { prices } = core.options.current();
  const group = groupOf(caller, prices);
  if (typeof group !== 'string') return group;
  const contentType = incoming.req.headers['content-type'] ?? '';
  const wanted = await wantedOf(core, { caller, group }, { id, raw, contentType });
  if (isApiError(wanted)) return wanted;
  const { model, size, prompt } = wanted.order;
  const forbidden = checkWords(core, caller, prompt);
  if (forbidden !== null) return forbidden;
  const acceptUnpriced = caller.account.acceptUnsetModelRatioModel;
  const quote = videoQuoteFor(prices, { model, group, size, acceptUnpriced });
  return quote === 'unpriced' ? unpriced(model) : { ...wanted, group, quote };
};
