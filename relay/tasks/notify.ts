import type { FoundTask } from '../../domain/task/messages.ts';
import type { Incoming } from '../admission/admitted.ts';
import { channelKeyForms } from '../delivery/key-forms.ts';
import { masked } from '../delivery/key-mask.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { parseObject, textAt } from '../protocol/json.ts';
import { type DrawingRefusal, refused, sendEmpty, sendRefusal } from './drawing-error.ts';
import { findTasks } from './find.ts';
import { isSameText, taskOfHook } from './notify-hook.ts';
import { reportTask } from './own-task.ts';
import { drawingReport } from './reports.ts';

export const noCredential: DrawingRefusal = { refusal: 'invalid_credential', code: 4, status: 401 };

const secretOf = ({ req }: Incoming): string => {
  const given = req.headers['mj-api-secret'];
  return typeof given === 'string' ? given.replace(/^Bearer /, '').trim() : '';
};

/** By the address that only this task's provider was given. */
const ofHook = async (core: RelayCore, taskId: string, id: string): Promise<FoundTask[]> => {
  const query = { platform: 'mj', userId: null, upstreamIds: [], taskIds: [taskId] } as const;
  return (await findTasks(core, query)).filter(({ upstreamId }) => upstreamId === id);
};

/** By the key of the channel that took the task; of no other channel's tasks. */
const ofChannel = async (core: RelayCore, secret: string, id: string): Promise<FoundTask[]> => {
  const tasks = await findTasks(core, { platform: 'mj', userId: null, upstreamIds: [id] });
  const table = core.channels.table();
  return tasks.filter(({ channelId }) => {
    const key = table.channel(channelId)?.key ?? '';
    return key !== '' && isSameText(key, secret);
  });
};

/** What a provider reports of a task, without the key of the channel that took it. */
const withoutKey = (core: RelayCore, { channelId }: FoundTask, raw: Buffer): JsonObject => {
  const channel = core.channels.table().channel(channelId);
  const shown = channel === undefined ? raw : masked(raw, channelKeyForms(channel));
  return parseObject(shown.toString('utf8')) ?? {};
};

/** Whether a callback carries anything that could identify it. Checked before its body is read. */
export const isSigned = (core: RelayCore, incoming: Incoming): boolean =>
  taskOfHook(core.vault, incoming.req.url ?? '') !== null || secretOf(incoming) !== '';

/** POST /mj/notify: an authenticated callback of a provider (infra/reference/tasks.md, section 6.4). */
export const serveNotify = async (
  core: RelayCore,
  incoming: Incoming,
  raw: Buffer,
): Promise<void> => {
  const taskId = taskOfHook(core.vault, incoming.req.url ?? '');
  const secret = secretOf(incoming);
  const body = parseObject(raw.toString('utf8'));
  const id = body === null ? '' : textAt(body, 'id');
  if (body === null) return sendRefusal(incoming, refused('bind_request_body_failed'));
  if (id === '') return sendRefusal(incoming, refused('midjourney_task_not_found'));
  const tasks =
    taskId === null ? await ofChannel(core, secret, id) : await ofHook(core, taskId, id);
  if (tasks.length === 0) return sendRefusal(incoming, refused('midjourney_task_not_found'));
  for (const task of tasks) {
    const report = drawingReport(withoutKey(core, task, raw));
    if (!(await reportTask(core, { taskId: task.taskId, report }))) {
      return sendRefusal(incoming, refused('update_midjourney_task_failed'));
    }
  }
  sendEmpty(incoming);
};
