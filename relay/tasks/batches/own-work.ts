import {
  type BatchProperties,
  type BatchWire,
  batchActions,
  fileOfId,
  type NamedFile,
  readBatchProperties,
  taskOfBatchId,
} from '../../../domain/task/batch.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { callError, relayError } from '../../protocol/relay-errors.ts';
import { batchAdapterOf } from '../../providers/batch-adapters.ts';
import type { BatchAdapter } from '../../providers/shared/batches/batch-adapter.ts';
import { ownTask, type Place, placeIn } from '../own-task.ts';

/** Also of files and batches of another user: that they exist is no business of others. */
export const fileNotFound = callError('file_not_found', undefined, 'file_id');
export const batchNotFound = callError('batch_not_found', undefined, 'batch_id');
export const channelGone = relayError(
  'batch_channel_gone',
  'The channel of this file or batch is gone',
);

export type OwnFile = Readonly<{ file: NamedFile; task: FoundTask }>;

/** A file of the caller, or the batch that the file is a result of; null: there is none. */
export const ownFile = async (
  core: Pick<RelayCore, 'bus'>,
  caller: Caller,
  id: string,
): Promise<OwnFile | null> => {
  const file = fileOfId(id);
  if (file === null) return null;
  const platform = file.part === 'requests' ? 'file' : 'batch';
  const task = await ownTask(core, caller, { platform, taskId: file.taskId });
  return task === null ? null : { file, task };
};

export const ownBatch = async (
  core: Pick<RelayCore, 'bus'>,
  caller: Caller,
  { wire, id }: Readonly<{ wire: BatchWire; id: string }>,
): Promise<FoundTask | null> => {
  const taskId = taskOfBatchId(wire, id);
  const task = await ownTask(core, caller, { platform: 'batch', taskId });
  return task?.action === batchActions[wire] ? task : null;
};

export const propertiesOf = ({ report }: FoundTask): BatchProperties | null =>
  readBatchProperties(report.properties);

/** Where a file or a batch is; null: its channel no longer exists. */
export const placeOf = (
  core: Pick<RelayCore, 'channels'>,
  task: FoundTask,
): Place<BatchAdapter> | null => placeIn(core, task, batchAdapterOf);
