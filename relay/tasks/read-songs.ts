import type { FoundTask } from '../../domain/task/messages.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { sendJson } from '../protocol/answer-head.ts';
import { parseJson, parseObject, textAt } from '../protocol/json.ts';
import { findTask, findTasks } from './find.ts';
import { musicRefusal, sendMusicRefusal } from './music-error.ts';

/** Songs that one call may request. */
const maxIds = 200;

const toWire = ({ upstreamId, action, submittedMs, report }: FoundTask): object => ({
  task_id: upstreamId,
  action,
  status: report.status,
  fail_reason: report.failReason,
  submit_time: report.submitTime || Math.floor(submittedMs / 1_000),
  start_time: report.startTime,
  finish_time: report.finishTime,
  progress: report.progress,
  data: report.data === '' ? null : (parseJson(report.data) ?? null),
});

const success = (data: unknown): object => ({ code: 'success', message: '', data });

/** GET /suno/fetch/{id}, out of our own store. */
export const serveSong = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, id }: Readonly<{ caller: Caller; id: string }>,
) => {
  const task = await findTask(core, 'suno', { userId: caller.account.userId, id });
  if (task !== null) return sendJson(incoming, 200, success(toWire(task)));
  sendMusicRefusal(incoming, musicRefusal(400, 'task_not_exist', 'The task does not exist'));
};

/** POST /suno/fetch */
export const serveSongs = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, raw }: Readonly<{ caller: Caller; raw: Buffer }>,
) => {
  const body = parseObject(raw.toString('utf8'));
  if (body === null) {
    const refusal = musicRefusal(400, 'invalid_request', 'The body is no JSON object');
    return sendMusicRefusal(incoming, refusal);
  }
  const ids = Array.isArray(body.ids) ? body.ids : [];
  const upstreamIds = ids.filter((id) => typeof id === 'string').slice(0, maxIds);
  const { userId } = caller.account;
  const tasks =
    upstreamIds.length === 0
      ? []
      : await findTasks(core, { platform: 'suno', userId, upstreamIds });
  const action = textAt(body, 'action').toUpperCase();
  const wanted = tasks.filter((task) => action === '' || task.action === action);
  sendJson(incoming, 200, success(wanted.map(toWire)));
};
