import type { FoundTask } from '../../../domain/task/messages.ts';
import { taskOfVideoId } from '../../../domain/task/video.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { callError } from '../../protocol/relay-errors.ts';
import { ownTask } from '../own-task.ts';

/** Also of a video of another user: that it exists is no business of others. */
export const videoNotFound = callError('video_not_found', undefined, 'video_id');

/** The caller's own video of that id; null: there is none. */
export const ownVideo = (
  core: Pick<RelayCore, 'bus'>,
  caller: Caller,
  id: string,
): Promise<FoundTask | null> =>
  ownTask(core, caller, { platform: 'video', taskId: taskOfVideoId(id) });
