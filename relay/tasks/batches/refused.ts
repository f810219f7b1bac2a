import type { ApiError } from '../../protocol/api-error.ts';
import { callError, type RelayErrorCode } from '../../protocol/relay-errors.ts';

/** A file or a batch that may not go up: thrown, because the file is read while it goes up. */
export class Refused extends Error {
  readonly error: ApiError;
  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

export const refused = (
  code: RelayErrorCode,
  message?: string,
  param: string | null = null,
): Refused => new Refused(callError(code, message, param));
