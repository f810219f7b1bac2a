import type { TaskId } from './events.ts';

/** Ids of files and batches for callers; the ids of their providers are not shown. */
const filePrefix = 'file-';
const batchPrefixes = { openai: 'batch_', anthropic: 'msgbatch_' } as const;
export type BatchWire = keyof typeof batchPrefixes;

/** `action` of a batch: the wire that it was submitted by. */
export const batchActions = { openai: 'BATCH', anthropic: 'MESSAGES' } as const;

/** `requests`: uploaded by the caller. `output`, `errors`: results of a batch, under its own task id. */
export type FilePart = 'requests' | 'output' | 'errors';
export type NamedFile = Readonly<{ taskId: TaskId; part: FilePart }>;

const resultOf: Readonly<Record<string, FilePart>> = { output: 'output', errors: 'errors' };

export const fileIdOf = ({ taskId, part }: NamedFile): string =>
  part === 'requests' ? `${filePrefix}${taskId}` : `${filePrefix}${part}-${taskId}`;

/** null: no id of a file. */
export const fileOfId = (id: string): NamedFile | null => {
  if (!id.startsWith(filePrefix) || id.length === filePrefix.length) return null;
  const rest = id.slice(filePrefix.length);
  const at = rest.indexOf('-');
  const part = at === -1 ? undefined : resultOf[rest.slice(0, at)];
  return part === undefined
    ? { taskId: rest, part: 'requests' }
    : { taskId: rest.slice(at + 1), part };
};

export const batchIdOf = (wire: BatchWire, taskId: TaskId): string =>
  `${batchPrefixes[wire]}${taskId}`;

/** null: no id of a batch of that wire. */
export const taskOfBatchId = (wire: BatchWire, id: string): TaskId | null => {
  const prefix = batchPrefixes[wire];
  return id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : null;
};

const wires: readonly BatchWire[] = ['openai', 'anthropic'];

/** By the action of its task. */
export const shownBatchId = (action: string, taskId: TaskId): string =>
  batchIdOf(wires.find((wire) => batchActions[wire] === action) ?? 'openai', taskId);

/** null: no id of a batch of any wire. */
export const taskOfShownBatch = (id: string): TaskId | null =>
  wires.map((wire) => taskOfBatchId(wire, id)).find((taskId) => taskId !== null) ?? null;

/** The most that the requests of one batch can use together. */
export type BatchEstimate = Readonly<{
  model: string;
  /** The operation of each request, such as `/v1/chat/completions`. */
  endpoint: string;
  requests: number;
  promptTokens: number;
  completionTokens: number;
}>;

/** The request, as a file or a batch keeps it in its properties. */
export type BatchProperties = BatchEstimate &
  Readonly<{
    /** Of a file of requests. */
    fileName: string;
    bytes: number;
    /** Of a batch: the file that it was made of, by the caller's id; "" for none. */
    inputFile: string;
    metadata: Readonly<Record<string, string>> | null;
  }>;

export const writeBatchProperties = (properties: BatchProperties): string =>
  JSON.stringify(properties);

/** null: the text is gone with its user. */
export const readBatchProperties = (text: string): BatchProperties | null =>
  text === '' ? null : (JSON.parse(text) as BatchProperties);
