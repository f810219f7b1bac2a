import type { Incoming } from '../admission/admitted.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { sendJson, writeAnswerHead } from '../protocol/answer-head.ts';
import { isPicture } from '../protocol/answer-types.ts';
import type { HttpReply } from '../upstream/types.ts';
import { findTasks } from './find.ts';

const maxImageBytes = 33_554_432;
const imageTimeoutMs = 60_000;
const maxError = 1_024;
/** Seconds that browsers keep a finished picture. */
const keptSeconds = 86_400;

const unknown = { error: 'midjourney_task_not_found' };
const failed = { error: 'http_get_image_failed' };

/** The address was given by a provider: it is only followed on the open internet, name by name. */
const load = async (core: RelayCore, url: string): Promise<HttpReply | null> => {
  try {
    return await core.providerIo('').fetch({
      method: 'GET',
      url,
      headers: { accept: 'image/*,*/*;q=0.8' },
      body: null,
      publicOnly: true,
      maxBytes: maxImageBytes,
      timeoutMs: imageTimeoutMs,
    });
  } catch (error) {
    core.logger.info({ error: String(error) }, 'a picture could not be loaded');
    return null;
  }
};

const sendImage = (incoming: Incoming, { body, headers }: HttpReply, isFinished: boolean): void => {
  if (incoming.res.destroyed) return;
  const type = headers['content-type'] ?? '';
  writeAnswerHead(incoming, 200, [
    ...['Content-Type', isPicture(type) ? type : 'image/jpeg'],
    ...['Content-Length', String(body.length)],
    ...['Cache-Control', isFinished ? `public, max-age=${keptSeconds}` : 'no-store'],
  ]);
  incoming.res.end(body);
};

/** GET /mj/image/{id}, public by its address. */
export const serveImage = async (
  core: RelayCore,
  incoming: Incoming,
  id: string,
): Promise<void> => {
  const tasks = await findTasks(core, { platform: 'mj', userId: null, upstreamIds: [id] });
  if (tasks.length === 0) return sendJson(incoming, 400, unknown);
  const task = tasks.find(({ report }) => report.imageUrl !== '');
  const reply = task === undefined ? null : await load(core, task.report.imageUrl);
  if (task === undefined || reply === null) return sendJson(incoming, 500, failed);
  if (reply.status === 200) {
    return sendImage(incoming, reply, task.report.status === 'SUCCESS');
  }
  // Redirects are not followed: each would need the same checks.
  const status = reply.status >= 400 && reply.status <= 599 ? reply.status : 502;
  sendJson(incoming, status, { error: reply.body.toString('utf8').slice(0, maxError) });
};
