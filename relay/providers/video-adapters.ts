import { doubaoVideo } from '../../domain/channel/providers/doubao-video.ts';
import { kling } from '../../domain/channel/providers/kling.ts';
import { openai } from '../../domain/channel/providers/openai.ts';
import { sora } from '../../domain/channel/providers/sora.ts';
import { doubaoVideos } from './shared/videos/doubao.ts';
import { klingVideos } from './shared/videos/kling.ts';
import { openAiVideos } from './shared/videos/openai.ts';
import type { VideoAdapter } from './shared/videos/video-adapter.ts';

/** Channels that make videos, by their type. */
const adapters: ReadonlyMap<number, VideoAdapter> = new Map([
  [openai.id, openAiVideos],
  [kling.id, klingVideos],
  [doubaoVideo.id, doubaoVideos],
  [sora.id, openAiVideos],
]);

export const videoAdapterOf = (channelType: number): VideoAdapter | undefined =>
  adapters.get(channelType);
