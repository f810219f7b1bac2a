import type { ApiError } from './api-error.ts';
import { relayError } from './relay-errors.ts';

/** Carries an error out of the depth of a translation to its edge; never leaves the adapter. */
class Refusal extends Error {
  readonly error: ApiError;
  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

/** @throws always; only inside `orRefusal`. */
export const refuse = (error: ApiError): never => {
  throw new Refusal(error);
};

/** The caller requested something that cannot be expressed in the provider's protocol. */
export const refuseRequest = (message: string): never =>
  refuse({ ...relayError('invalid_request', message), type: 'invalid_request_error' });

/** The result, or the error that a step inside refused with. */
export const orRefusal = async <T>(make: () => Promise<T> | T): Promise<T | ApiError> => {
  try {
    return await make();
  } catch (fault) {
    if (fault instanceof Refusal) return fault.error;
    throw fault;
  }
};

/**
 * A channel that lacks what its type needs; the operator has to fix it, so another channel may
 * serve.
 */
export const configurationError = (message: string): ApiError =>
  relayError('channel_configuration_error', message);
