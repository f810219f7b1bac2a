import type { UserId } from '../../domain/shared/ids.ts';
import type { Offload } from '../offload/offload.ts';
import { asBuffer, shared } from '../offload/shared-bytes.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import { withCamelCase } from '../protocol/gemini/spelling.ts';
import { largeBytes } from '../protocol/large-body.ts';
import { type ScannedBody, scannedOrError } from '../protocol/normalise.ts';
import { relayError } from '../protocol/relay-errors.ts';
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
    input: Readonly<{ body: Buffer; words: readonly string[]; protocol: Protocol }>;
    output: Examined | ApiError;
  };
};

type Core = Pick<AdmissionDeps, 'options' | 'logger'> & Readonly<{ offload: Offload<ExamineJobs> }>;

/** What a body contains, in the one spelling of its protocol. */
export const readBody = (raw: Buffer, protocol: Protocol): ScannedBody | ApiError =>
  scannedOrError(protocol === 'gemini' ? withCamelCase(raw) : raw);

const isError = (found: object): found is ApiError => 'status' in found;

const failed = relayError('internal_error');

/** A body with its sender; `protocol` has the spellings of its members. */
type Received = Readonly<{ raw: Buffer; owner: UserId; protocol: Protocol }>;

const examined = async (
  { offload, options }: Core,
  { raw, owner, protocol }: Received,
): Promise<ScannedBody | ApiError> => {
  const body = await shared(raw);
  const words = options.current().filter.prompt?.words ?? [];
  const work = { owner: String(owner), bytes: body.length };
  const result = await offload.run('examine', { body, words, protocol }, work);
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
  received: Received,
  done: (found: ScannedBody | ApiError) => void,
): void => {
  if (received.raw.length < largeBytes) {
    done(readBody(received.raw, received.protocol));
    return;
  }
  examined(core, received).then(done, (error: unknown) => {
    core.logger.error({ err: error }, 'a long body could not be scanned');
    done(failed);
  });
};
