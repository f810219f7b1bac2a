import { doubaoVideo } from './providers/doubao-video.ts';
import { veoModels } from './providers/gemini.ts';
import { jimeng } from './providers/jimeng.ts';
import { kling } from './providers/kling.ts';
import { sora } from './providers/sora.ts';
import { vertexVeoModels } from './providers/vertex.ts';
import { vidu } from './providers/vidu.ts';

/** Providers whose channels make nothing but videos, which are paid by the second. */
const videoProviders = [sora, kling, jimeng, vidu, doubaoVideo] as const;

export const videoTypes: readonly number[] = videoProviders.map(({ id }) => id);

/** Recognised by their names, whatever channel has them. */
export const knownVideoModels: ReadonlySet<string> = new Set([
  ...veoModels,
  ...vertexVeoModels,
  ...videoProviders.flatMap(({ models }) => models),
]);
