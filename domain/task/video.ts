import type { TaskId } from './events.ts';

/** Id of a video for callers; the number of the provider is not shown. */
const prefix = 'video_';

export const videoIdOf = (taskId: TaskId): string => `${prefix}${taskId}`;

/** null: no id of a video. */
export const taskOfVideoId = (id: string): TaskId | null =>
  id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : null;

/** The request, as the task keeps it in its properties. */
export type VideoProperties = Readonly<{
  model: string;
  seconds: number;
  /** Such as "1280x720". */
  size: string;
  /** The video that this one is a remix of; null: of none. */
  remixedFrom: TaskId | null;
}>;

export const writeVideoProperties = (properties: VideoProperties): string =>
  JSON.stringify(properties);

/** null: the text is gone with its user, or is none of ours. */
export const readVideoProperties = (text: string): VideoProperties | null => {
  if (text === '') return null;
  const { model, seconds, size, remixedFrom } = JSON.parse(text) as Partial<VideoProperties>;
  if (model === undefined || seconds === undefined || size === undefined) return null;
  return { model, seconds, size, remixedFrom: remixedFrom ?? null };
};
