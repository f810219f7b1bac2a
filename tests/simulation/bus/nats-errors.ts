import { ErrorCode, NatsError } from 'nats';

const apiError = (code: number, errCode: number, description: string): NatsError => {
  const error = new NatsError(description, ErrorCode.ApiError);
  error.api_error = { code, err_code: errCode, description };
  return error;
};

/** Errors of the client library, by the codes that the adapter reads. */
export const natsErrors = {
  timeout: (): NatsError => NatsError.errorForCode(ErrorCode.Timeout),
  noResponders: (): NatsError => NatsError.errorForCode(ErrorCode.NoResponders),
  notFound: (what: string): NatsError => apiError(404, 10_014, `${what} not found`),
  wrongSequence: (): NatsError => apiError(400, 10_071, 'wrong last sequence'),
  noSpace: (): NatsError => apiError(503, 10_077, 'maximum bytes exceeded'),
};
