import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { type Expected, TOMBSTONE_REVISION, type WriteResult } from '../types.ts';

/** Trailers are ASCII; a name beyond it is percent-encoded rather than break the answer. */
const asciiOnly = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text);

/** The client finds its error class by the trailer `exception`, and by the code only then. */
export const serviceError = (
  code: status,
  message: string,
  trailers: Readonly<Record<string, string>> = {},
): ServiceError => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, asciiOnly(value));
  const details = asciiOnly(message);
  return Object.assign(new Error(details), { code, details, metadata });
};

export const streamDeletedError = (stream: string): ServiceError =>
  serviceError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

const legacyVersions = { any: -2, 'no-stream': -1, 'stream-exists': -4 } as const;

const expectedNumber = (expected: Expected): number =>
  typeof expected === 'number' ? expected : legacyVersions[expected];

const wrongVersionError = (stream: string, expected: Expected, current: number): ServiceError => {
  const wanted = String(expectedNumber(expected));
  const actual = current < 0 ? '' : String(current);
  return serviceError(
    status.FAILED_PRECONDITION,
    `Append failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${wanted}, ` +
      `Actual version: ${current === TOMBSTONE_REVISION ? 'deleted' : current}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': wanted,
      'actual-version': actual,
    },
  );
};

export const timeoutError = (): ServiceError =>
  serviceError(status.DEADLINE_EXCEEDED, 'Operation timed out');

export const invalidArgument = (message: string): ServiceError =>
  serviceError(status.INVALID_ARGUMENT, message);

export const unavailable = (message: string): ServiceError =>
  serviceError(status.UNAVAILABLE, message);

export const scavengeNotFoundError = (scavengeId: string): ServiceError =>
  serviceError(status.NOT_FOUND, `No scavenge ${scavengeId} is running.`, {
    exception: 'scavenge-not-found',
    'scavenge-id': scavengeId,
  });

export const tooLargeError = (limit: number): ServiceError =>
  serviceError(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });

export const missingPropertyError = (property: string): ServiceError =>
  serviceError(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

/** The error that a refused delete or tombstone answers with. */
export const refusal = (
  result: Exclude<WriteResult, { kind: 'written' }>,
  stream: string,
  expected: Expected,
): ServiceError => {
  if (result.kind === 'stream-deleted') return streamDeletedError(stream);
  if (result.kind === 'timeout') return timeoutError();
  return wrongVersionError(stream, expected, result.current);
};
