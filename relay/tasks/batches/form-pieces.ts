import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import { boundaryOf, partOf } from '../../protocol/scan-form.ts';
import { refused } from './refused.ts';

/** Bytes of one part of a form, as they arrive. */
export type FormPiece = Readonly<{ name: string; fileName: string | null; bytes: Buffer }>;
type Part = Pick<FormPiece, 'name' | 'fileName'>;

const maxHeadBytes = 8_192;
const none = Buffer.alloc(0);
const headEnd = '\r\n\r\n';

const notForm = refused(
  'invalid_request_body',
  'The body must be a multipart form with the fields purpose and file',
);

const boundaryIn = (contentType: string | undefined): string | ApiError => {
  const isForm = contentType?.toLowerCase().startsWith('multipart/form-data') === true;
  return (isForm ? boundaryOf(contentType) : null) ?? notForm.error;
};

/** Splits a form that arrives in pieces; keeps no more of it than the head of one part. */
class FormReader {
  readonly #delimiter: Buffer;
  /** The first delimiter has no line before it. */
  #held: Buffer = Buffer.from('\r\n');
  #part: Part | null = null;
  #isInHead = false;
  isOver = false;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  *next(chunk: Buffer): Generator<FormPiece> {
    this.#held = Buffer.concat([this.#held, chunk]);
    for (let goesOn = true; goesOn && !this.isOver; ) {
      const [bytes, hasMore] = this.#isInHead ? [none, this.#head()] : this.#body();
      if (this.#part !== null && bytes.length > 0) yield { ...this.#part, bytes };
      goesOn = hasMore;
    }
  }

  /** The part so far, and whether its delimiter has arrived. */
  #body(): readonly [bytes: Buffer, isWhole: boolean] {
    const at = this.#held.indexOf(this.#delimiter);
    const isWhole = at !== -1;
    // The last bytes may be the beginning of a delimiter.
    const size = isWhole ? at : Math.max(0, this.#held.length - this.#delimiter.length);
    const bytes = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(isWhole ? at + this.#delimiter.length : size);
    this.#isInHead = isWhole;
    return [bytes, isWhole];
  }

  /** false: more of it has to arrive. */
  #head(): boolean {
    if (this.#held.length < 2) return false;
    if (this.#held.toString('latin1', 0, 2) === '--') {
      this.isOver = true;
      return true;
    }
    const end = this.#held.indexOf(headEnd);
    if (end > maxHeadBytes || (end === -1 && this.#held.length > maxHeadBytes)) throw notForm;
    if (end === -1) return false;
    const part = partOf(this.#held.toString('utf8', 2, end), 0, 0);
    if (part === null) throw notForm;
    this.#part = { name: part.name, fileName: part.fileName };
    this.#held = this.#held.subarray(end + headEnd.length);
    this.#isInHead = false;
    return true;
  }
}

/** @throws a refusal when it is no form, or breaks off */
export async function* formPieces(
  source: AsyncIterable<Buffer>,
  contentType: string | undefined,
): AsyncGenerator<FormPiece> {
  const boundary = boundaryIn(contentType);
  if (isApiError(boundary)) throw notForm;
  const reader = new FormReader(boundary);
  for await (const chunk of source) {
    yield* reader.next(chunk);
    if (reader.isOver) return;
  }
  throw notForm;
}
