import type { ApiError } from '../../protocol/api-error.ts';

/** A file or a batch that may not go up: thrown, because the file is read while it goes up. */
export class Refused extends Error {
  readonly error: ApiError;
  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

export const invalid = (code: string, message: string, param: string | null = null): ApiError => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  code,
  param,
});

export const refused = (code: string, message: string, param: string | null = null): Refused =>
  new Refused(invalid(code, message, param));
