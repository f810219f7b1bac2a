import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import {
  cancelBatch,
  removeBatch,
  removeFile,
  serveBatch,
  serveBatches,
  serveFile,
  serveFiles,
} from './read-batches.ts';
import type { BatchRoute } from './routes.ts';
import { serveBatchResults, serveFileContent } from './serve-results.ts';
import { serveOrder } from './submit-batch.ts';

type Asked = Readonly<{
  /** An upload is read as it arrives, and not here. */
  route: Exclude<BatchRoute, { kind: 'file-upload' }>;
  caller: Caller;
  raw: Buffer;
}>;

/** OpenAI's files and batches, and Anthropic's message batches. */
export const serveBatchRoute = (
  core: RelayCore,
  incoming: Incoming,
  asked: Asked,
): Promise<void> => {
  const { route, caller, raw } = asked;
  switch (route.kind) {
    case 'files':
      return serveFiles(core, incoming, caller);
    case 'file':
      return serveFile(core, incoming, { caller, id: route.id });
    case 'file-content':
      return serveFileContent(core, incoming, { caller, id: route.id });
    case 'file-removal':
      return removeFile(core, incoming, { caller, id: route.id });
    case 'batch-order':
      return serveOrder(core, incoming, { wire: route.wire, caller, raw });
    case 'batches':
      return serveBatches(core, incoming, { caller, wire: route.wire });
    case 'batch':
      return serveBatch(core, incoming, { caller, wire: route.wire, id: route.id });
    case 'batch-cancel':
      return cancelBatch(core, incoming, { caller, wire: route.wire, id: route.id });
    case 'batch-results':
      return serveBatchResults(core, incoming, { caller, id: route.id });
    case 'batch-removal':
      return removeBatch(core, incoming, { caller, id: route.id });
  }
};
