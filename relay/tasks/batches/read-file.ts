import type { BatchEstimate } from '../../../domain/task/batch.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { callError } from '../../protocol/relay-errors.ts';
import { type BatchRequest, EstimateSum, requestOfLine } from './batch-request.ts';
import { type FormPiece, formPieces } from './form-pieces.ts';
import { linesOf } from './lines.ts';
import { Refused, refused } from './refused.ts';

/** Of one request; a line is parsed at one go. */
const maxLineBytes = 1_048_576;
const maxFieldBytes = 256;
/** Fields of a form in addition to its file. */
const maxFormBytes = 16_384;

const fileTooLarge = (maxBytes: number): ApiError => ({
  ...callError(
    'file_too_large',
    `A file of requests takes at most ${maxBytes / 1_048_576} MB: split it into several`,
    'file',
  ),
  status: 413,
});
const wrongPurpose = refused(
  'invalid_purpose',
  'Files are taken for batches alone: purpose must be batch',
  'purpose',
);
const encoded = refused('unsupported_encoding', 'Send the file without a content encoding');
const noFile = refused('missing_file', 'The form has no field file with a file', 'file');
const noRequests = refused('empty_file', 'The file holds no request', 'file');
const notText = refused('invalid_encoding', 'The file must be UTF-8');

const utf8 = new TextDecoder('utf-8', { fatal: true });

const textOf = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw notText;
  }
};

/** A refusal names the line that it is about. */
const atLine = (error: unknown, number: number): unknown =>
  error instanceof Refused
    ? new Refused({ ...error.error, message: `Line ${number}: ${error.error.message}` })
    : error;

/** An uploaded file of requests, read as it arrives. Keeps one line of it. */
export class RequestFile {
  readonly #incoming: Incoming;
  readonly #maxBytes: number;
  /** Why a request may not go up; null: it may. */
  readonly #problem: (request: BatchRequest) => ApiError | null;
  readonly #estimate = new EstimateSum();
  #fileName: string | null = null;
  #purpose = '';
  bytes = 0;

  constructor(
    incoming: Incoming,
    {
      maxBytes,
      problem,
    }: Readonly<{
      maxBytes: number;
      problem: (request: BatchRequest) => ApiError | null;
    }>,
  ) {
    this.#incoming = incoming;
    this.#maxBytes = maxBytes;
    this.#problem = problem;
  }

  get fileName(): string {
    return this.#fileName ?? '';
  }

  /** Of the requests so far. */
  get estimate(): BatchEstimate | null {
    return this.#estimate.sum;
  }

  /** @throws a refusal when the file may not go up */
  async *requests(): AsyncGenerator<BatchRequest> {
    const { 'content-encoding': encoding, 'content-length': length } = this.#incoming.req.headers;
    if (encoding !== undefined && encoding !== 'identity') throw encoded;
    if (Number(length ?? 0) > this.#maxBytes + maxFormBytes) this.#tooLarge();
    for await (const { number, bytes } of linesOf(this.#file(), maxLineBytes)) {
      try {
        const request = requestOfLine(textOf(bytes));
        this.#estimate.add(request);
        const problem = this.#problem(request);
        if (problem !== null) throw new Refused(problem);
        yield request;
      } catch (error) {
        throw atLine(error, number);
      }
    }
    if (this.#fileName === null) throw noFile;
    if (this.#estimate.sum === null) throw noRequests;
    if (this.#purpose !== 'batch') throw wrongPurpose;
  }

  #tooLarge(): never {
    throw new Refused(fileTooLarge(this.#maxBytes));
  }

  /** The bytes of the file; other fields may precede and follow it. */
  async *#file(): AsyncGenerator<Buffer> {
    const { req } = this.#incoming;
    // A refusal is still answered over the same connection.
    const source = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const piece of formPieces(source, req.headers['content-type'])) {
      if (piece.name === 'file' && piece.fileName !== null) {
        this.#take(piece);
        yield piece.bytes;
      } else this.#field(piece);
    }
  }

  #take({ fileName, bytes }: FormPiece): void {
    this.#fileName ??= fileName;
    if (this.#purpose !== '' && this.#purpose !== 'batch') throw wrongPurpose;
    this.bytes += bytes.length;
    if (this.bytes > this.#maxBytes) this.#tooLarge();
  }

  #field({ name, bytes }: FormPiece): void {
    if (name !== 'purpose') {
      // How long the provider keeps it is its own rule.
      throw refused('unsupported_parameter', `Field ${name} is not offered`, name);
    }
    this.#purpose += bytes.toString('utf8');
    if (this.#purpose.length > maxFieldBytes) throw wrongPurpose;
  }
}

/** null: no refusal, but a fault. */
export const refusalIn = (error: unknown): ApiError | null =>
  error instanceof Refused ? error.error : null;
