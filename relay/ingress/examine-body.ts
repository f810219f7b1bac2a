import type { UserId } from '../../domain/shared/ids.ts';
import { asBuffer, shared } from '../offload/shared-bytes.ts';
import { largeBytes } from '../offload/sizes.ts';
import type { RelayCore } from '../relay-core.ts';
import { type ApiError, gatewayError } from './api-error.ts';
import { type ScannedBody, scannedOrError } from './normalise.ts';
import { rememberMembers } from './scan-body.ts';

type Core = Pick<RelayCore, 'offload' | 'options' | 'logger'>;

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
 * What stands in a body. Short ones are looked through at once; long ones by another thread, and
 * `done` runs later.
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
    core.logger.error({ err: error }, 'a long body could not be looked through');
    done(failed);
  });
};
