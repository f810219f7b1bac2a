import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { isApiError, sendError } from '../../protocol/api-error.ts';
import { planVideo, type VideoRequest } from './plan-video.ts';
import { removeVideo, serveVideo, serveVideos } from './read-videos.ts';
import type { VideoRoute } from './routes.ts';
import { serveContent } from './serve-content.ts';
import { submitVideo } from './submit-video.ts';

/** POST /v1/videos and POST /v1/videos/{id}/remix */
const serveOrder = async (
  core: RelayCore,
  incoming: Incoming,
  request: VideoRequest,
): Promise<void> => {
  const { caller } = request;
  const planned = await planVideo(core, incoming, request);
  if (isApiError(planned)) return sendError(incoming.res, planned, incoming.requestId);
  return submitVideo(core, incoming, { caller, planned });
};

type Asked = Readonly<{ route: VideoRoute; caller: Caller; raw: Buffer }>;

/** OpenAI's Videos API. */
export const serveVideoRoute = (
  core: RelayCore,
  incoming: Incoming,
  { route, caller, raw }: Asked,
): Promise<void> => {
  switch (route.kind) {
    case 'video-order':
      return serveOrder(core, incoming, { id: route.origin, caller, raw });
    case 'videos':
      return serveVideos(core, incoming, caller);
    case 'video':
      return serveVideo(core, incoming, { caller, id: route.id });
    case 'video-content':
      return serveContent(core, incoming, { caller, id: route.id });
    case 'video-removal':
      return removeVideo(core, incoming, { caller, id: route.id });
  }
};
