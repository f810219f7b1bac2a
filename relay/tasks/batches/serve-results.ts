import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FoundTask } from '../../../domain/task/messages.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import { channelKeyForms } from '../../delivery/key-forms.ts';
import { KeyMask } from '../../delivery/key-mask.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { writeAnswerHead } from '../../protocol/answer-head.ts';
import { sendError } from '../../protocol/api-error.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import {
  type BatchAdapter,
  fileContentPath,
} from '../../providers/shared/batches/batch-adapter.ts';
import { reportedData } from '../own-task.ts';
import { isGone } from '../provider-reply.ts';
import { openContent } from './open-content.ts';
import {
  batchNotFound,
  channelGone,
  fileNotFound,
  ownBatch,
  ownFile,
  placeOf,
} from './own-work.ts';
import { upstreamFile } from './read-batches.ts';

type Named = Readonly<{ caller: Caller; id: string }>;

const notReady = relayError('batch_not_ended', 'The batch has no results yet');
const expired = relayError('results_expired');
const notFetched = relayError('file_not_fetched');

const withoutKeys = (channel: UpstreamChannel): Transform => {
  const mask = new KeyMask([channelKeyForms(channel)]);
  return new Transform({
    transform: (bytes: Buffer, _encoding, done) => done(null, mask.next(bytes)),
    flush: (done) => done(null, mask.last(Buffer.alloc(0))),
  });
};

type Content = Readonly<{
  task: FoundTask;
  pathOf: (adapter: BatchAdapter) => string;
  type: string;
}>;

/** As fast as the caller reads it. Not charged: what it holds was paid for with its batch. */
const pass = async (
  core: RelayCore,
  incoming: Incoming,
  { task, pathOf, type }: Content,
): Promise<void> => {
  const { res, requestId } = incoming;
  const place = placeOf(core, task);
  if (place === null) return sendError(res, channelGone, requestId);
  const ended = new AbortController();
  res.on('close', () => ended.abort());
  const download = await openContent(core, place, {
    path: pathOf(place.adapter),
    signal: ended.signal,
  });
  if (download?.status !== 200) {
    download?.body.destroy();
    const isExpired = download !== null && isGone(download);
    return sendError(res, isExpired ? expired : notFetched, requestId);
  }
  writeAnswerHead(incoming, 200, ['Content-Type', type, 'Cache-Control', 'private, no-store']);
  // A line that breaks ends the caller's line too: half a file is no answer.
  await pipeline(download.body, withoutKeys(place.channel), res).catch(() => res.destroy());
};

/** GET /v1/files/{id}/content */
export const serveFileContent = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, id }: Named,
): Promise<void> => {
  const found = await ownFile(core, caller, id);
  const upstreamId = found === null ? null : upstreamFile(found);
  if (found === null || upstreamId === null) {
    return sendError(incoming.res, fileNotFound, incoming.requestId);
  }
  const pathOf = (adapter: BatchAdapter) => fileContentPath(adapter, upstreamId);
  return pass(core, incoming, { task: found.task, pathOf, type: 'application/octet-stream' });
};

/** GET /v1/messages/batches/{id}/results */
export const serveBatchResults = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, id }: Named,
): Promise<void> => {
  const task = await ownBatch(core, caller, { wire: 'anthropic', id });
  if (task === null) return sendError(incoming.res, batchNotFound, incoming.requestId);
  const paths =
    task.report.status === 'SUCCESS'
      ? placeOf(core, task)?.adapter.resultPaths(task.upstreamId, reportedData(task))
      : undefined;
  const path = paths?.[0];
  if (path === undefined) return sendError(incoming.res, notReady, incoming.requestId);
  return pass(core, incoming, { task, pathOf: () => path, type: 'application/x-jsonl' });
};
