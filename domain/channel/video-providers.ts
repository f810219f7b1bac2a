import { doubaoVideo } from './providers/doubao-video.ts';
import { kling } from './providers/kling.ts';
import { sora } from './providers/sora.ts';

/** Providers whose channels make nothing but videos, which are paid by the second. */
const videoProviders = [sora, kling, doubaoVideo] as const;

export const videoTypes: readonly number[] = videoProviders.map(({ id }) => id);

/** Known by their names, whatever channel has them. */
export const knownVideoModels: ReadonlySet<string> = new Set(
  videoProviders.flatMap(({ models }) => models),
);
