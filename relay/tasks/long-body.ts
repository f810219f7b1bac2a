import type { UserId } from '../../domain/shared/ids.ts';
import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import { examineBody } from '../ingress/examine-body.ts';
import { largeBytes } from '../offload/sizes.ts';
import type { RelayCore } from '../relay-core.ts';

/** Beside its pictures, which are parsed as fast as they are copied. */
const maxTextBytes = largeBytes;

const tooLong: ApiError = gatewayError(
  413,
  'request_too_large',
  `Beside its pictures, this request may take at most ${maxTextBytes} bytes`,
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
