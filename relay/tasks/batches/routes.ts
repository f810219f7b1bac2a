import type { BatchWire } from '../../../domain/task/batch.ts';

type FileRoute =
  | Readonly<{ kind: 'file-upload' }>
  | Readonly<{ kind: 'files' }>
  | Readonly<{ kind: 'file'; id: string }>
  | Readonly<{ kind: 'file-content'; id: string }>
  | Readonly<{ kind: 'file-removal'; id: string }>;
export type BatchRoute =
  | FileRoute
  | Readonly<{ kind: 'batch-order'; wire: BatchWire }>
  | Readonly<{ kind: 'batches'; wire: BatchWire }>
  | Readonly<{ kind: 'batch'; wire: BatchWire; id: string }>
  | Readonly<{ kind: 'batch-cancel'; wire: BatchWire; id: string }>
  | Readonly<{ kind: 'batch-results'; id: string }>
  | Readonly<{ kind: 'batch-removal'; id: string }>;

const filePath = /^\/v1\/files(?:\/([^/]+)(?:\/(content))?)?$/;
const batchPath = /^\/v1\/(messages\/)?batches(?:\/([^/]+)(?:\/(cancel|results))?)?$/;

export const isBatchPath = (path: string): boolean => filePath.test(path) || batchPath.test(path);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const fileRoute = (
  method: string,
  id: string | undefined,
  part: string | undefined,
): FileRoute | null => {
  if (id === undefined) {
    if (method === 'POST') return { kind: 'file-upload' };
    return method === 'GET' ? { kind: 'files' } : null;
  }
  if (method === 'GET') return { kind: part === undefined ? 'file' : 'file-content', id };
  return method === 'DELETE' && part === undefined ? { kind: 'file-removal', id } : null;
};

const ofBatch = (method: string, wire: BatchWire, id: string): BatchRoute | null => {
  if (method === 'GET') return { kind: 'batch', wire, id };
  return method === 'DELETE' && wire === 'anthropic' ? { kind: 'batch-removal', id } : null;
};

const batchRoute = (
  method: string,
  wire: BatchWire,
  [id, part]: readonly [id: string | undefined, part: string | undefined],
): BatchRoute | null => {
  if (id === undefined) {
    if (method === 'POST') return { kind: 'batch-order', wire };
    return method === 'GET' ? { kind: 'batches', wire } : null;
  }
  if (part === undefined) return ofBatch(method, wire, id);
  if (part === 'cancel') return method === 'POST' ? { kind: 'batch-cancel', wire, id } : null;
  return method === 'GET' && wire === 'anthropic' ? { kind: 'batch-results', id } : null;
};

const nameIn = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : decoded(text);

/** `path` is without query. */
export const batchRouteOf = (method: string, path: string): BatchRoute | null => {
  const [isFile, fileId, filePart] = filePath.exec(path) ?? [];
  if (isFile !== undefined) return fileRoute(method, nameIn(fileId), filePart);
  const [isBatch, messages, id, part] = batchPath.exec(path) ?? [];
  if (isBatch === undefined) return null;
  const wire = messages === undefined ? 'openai' : 'anthropic';
  return batchRoute(method, wire, [nameIn(id), part]);
};
