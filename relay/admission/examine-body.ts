import type { UserId } from '../../domain/shared/ids.ts';
import type { Offload } from '../offload/offload.ts';
import { asBuffer, shared } from '../offload/shared-bytes.ts';
import { type ApiError, gatewayError } from '../protocol/api-error.ts';
import { largeBytes } from '../protocol/large-body.ts';
import { type ScannedBody, scannedOrError } from '../protocol/normalise.ts';
import { type BodyScan, type Member, rememberMembers } from '../protocol/scan-body.ts';
import type { AdmissionDeps } from './deps.ts';

/** What was found in a body; offsets are of `body`. */
export type Examined = Readonly<{
  scan: BodyScan;
  members: readonly (readonly [name: string, member: Member])[];
  /** Rewritten, where a member was given twice; null: as received. */
  body: Buffer | null;
  /** The first sensitive word; null: none. */
  word: string | null;
}>;

/** Scanning a body on another thread. */
export type ExamineJobs = {
  examine: {
    input: Readonly<{ body: Buffer; words: readonly string[] }>;
    output: Examined | ApiError;
  };
};

type Core = Pick<AdmissionDeps, 'options' | 'logger'> & Readonly<{ offload: Offload<ExamineJobs> }>;

const isError = (found: object): found is ApiError => 'status' in found;

const failed = gatewayError(500, 'internal_error', 'The gateway failed on this request');

const examined = async (
  { offload, options }: Core,
  raw: Buffer,
  owner: UserId,
): Promise<ScannedBody | ApiError> => {
  const body = await shared(raw);
  const words = options.current().filter.prompt?.words ?? [];
  const work = { owner: String(owner), bytes: body.length };
  const result = await offload.run('examine', { body, words }, work);
  if (result.kind === 'refused') return result.error;
  const found = result.value;
  if (isError(found)) return found;
  const own = found.body === null ? body : asBuffer(found.body);
  rememberMembers(own, found.members);
  return { body: own, scan: found.scan, word: found.word };
};

/**
 * What a body contains. Short bodies are scanned at once; long ones by another thread, and `done`
 * runs later.
 */
export const examineBody = (
  core: Core,
  { raw, owner }: Readonly<{ raw: Buffer; owner: UserId }>,
  done: (found: ScannedBody | ApiError) => void,
): void => {
  if (raw.length < largeBytes) {
    done(scannedOrError(raw));
    return;
  }
  examined(core, raw, owner).then(done, (error: unknown) => {
    core.logger.error({ err: error }, 'a long body could not be scanned');
    done(failed);
  });
};
