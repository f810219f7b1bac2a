import type { UserId } from '../../domain/shared/ids.ts';
import { examineBody } from '../admission/examine-body.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { largeBytes } from '../protocol/large-body.ts';
import { lookalikeError } from '../protocol/normalise.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { scanBody } from '../protocol/scan-body.ts';

/** In addition to its pictures, which are parsed as fast as they are copied. */
const maxTextBytes = largeBytes;

const tooLong: ApiError = relayError(
  'request_too_large',
  `Without its images, this request may have at most ${maxTextBytes} bytes`,
);

const lookalikeProblem = (raw: Buffer): ApiError | null => {
  const lookalike = scanBody(raw)?.lookalike;
  return lookalike === undefined ? null : lookalikeError(lookalike);
};

/**
 * A long body is parsed only where nearly all of it is pictures, and none that other readers may read as
 * another one. null: it may be parsed.
 */
export const bodyProblem = (
  core: RelayCore,
  raw: Buffer,
  owner: UserId,
): Promise<ApiError | null> =>
  raw.length < largeBytes
    ? Promise.resolve(lookalikeProblem(raw))
    : new Promise((resolve) => {
        examineBody(core, { raw, owner, protocol: 'openai' }, (found) => {
          if ('status' in found) resolve(found);
          else resolve(raw.length - found.scan.blobBytes > maxTextBytes ? tooLong : null);
        });
      });
