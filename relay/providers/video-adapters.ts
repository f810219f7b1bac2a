import { doubaoVideo } from '../../domain/channel/providers/doubao-video.ts';
import { gemini } from '../../domain/channel/providers/gemini.ts';
import { jimeng } from '../../domain/channel/providers/jimeng.ts';
import { kling } from '../../domain/channel/providers/kling.ts';
import { openai } from '../../domain/channel/providers/openai.ts';
import { sora } from '../../domain/channel/providers/sora.ts';
import { vertex } from '../../domain/channel/providers/vertex.ts';
import { vidu } from '../../domain/channel/providers/vidu.ts';
import { doubaoVideos } from './shared/videos/doubao.ts';
import { jimengVideos } from './shared/videos/jimeng.ts';
import { klingVideos } from './shared/videos/kling.ts';
import { openAiVideos } from './shared/videos/openai.ts';
import { veoVideos } from './shared/videos/veo.ts';
import type { VideoAdapter } from './shared/videos/video-adapter.ts';
import { viduVideos } from './shared/videos/vidu.ts';
import { vertexVideos } from './vertex/videos.ts';

/** Channels that make videos, by their type. */
const adapters: ReadonlyMap<number, VideoAdapter> = new Map([
  [openai.id, openAiVideos],
  [gemini.id, veoVideos],
  [vertex.id, vertexVideos],
  [kling.id, klingVideos],
  [jimeng.id, jimengVideos],
  [vidu.id, viduVideos],
  [doubaoVideo.id, doubaoVideos],
  [sora.id, openAiVideos],
]);

export const videoAdapterOf = (channelType: number): VideoAdapter | undefined =>
  adapters.get(channelType);
