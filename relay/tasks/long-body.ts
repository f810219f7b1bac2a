import type { UserId } from '../../domain/shared/ids.ts';
import { examineBody } from '../admission/examine-body.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, gatewayError } from '../protocol/api-error.ts';
import { largeBytes } from '../protocol/large-body.ts';

/** In addition to its pictures, which are parsed as fast as they are copied. */
const maxTextBytes = largeBytes;

const tooLong: ApiError = gatewayError(
  413,
  'request_too_large',
  `Without its images, this request may have at most ${maxTextBytes} bytes`,
);

/** A long body is parsed only where nearly all of it is pictures. null: it may be. */
export const longBodyProblem = (
  core: RelayCore,
  raw: Buffer,
  owner: UserId,
): Promise<ApiError | null> =>
  raw.length < largeBytes
    ? Promise.resolve(null)
    : new Promise((resolve) => {
        examineBody(core, { raw, owner }, (found) => {
          if ('status' in found) resolve(found);
          else resolve(raw.length - found.scan.blobBytes > maxTextBytes ? tooLong : null);
        });
      });
