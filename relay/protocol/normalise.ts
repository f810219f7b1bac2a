import type { ApiError } from './api-error.ts';
import { type Lookalike, lookalikeIn } from './lookalikes.ts';
import { callError, relayError } from './relay-errors.ts';
import { type BodyProblem, type BodyScan, bodyProblem, maxDepth, scanBody } from './scan-body.ts';
import { type FormScan, filesOf, scanForm } from './scan-form.ts';

export type ScannedBody = Readonly<{
  body: Buffer;
  scan: BodyScan;
  /** Where the body is a form; `scan` then finds no members. */
  form?: FormScan;
  /** The first sensitive word, where another thread searched for one; null: it found none. */
  word?: string | null;
}>;

const unusable = (message: string): ApiError => ({
  ...relayError('invalid_text_request', message),
  type: 'invalid_request_error',
  param: null,
});

const problems: Readonly<Record<BodyProblem, ApiError>> = {
  'not-json': unusable('Invalid request: the body is not a JSON object'),
  'too-deep': unusable(`Invalid request: the body is nested more than ${maxDepth} levels deep`),
  'too-many-members': unusable('Invalid request: the body has too many members'),
};
export const notJson = problems['not-json'];
/** What is wrong with a body that cannot be used. */
export const problemOf = (raw: Buffer): ApiError => problems[bodyProblem(raw)];

/**
 * Scans a body. One that gives the same member twice is rewritten so that it has the last value
 * once: a provider that reads the first would serve another model than the one that was checked.
 */
export const scanned = (raw: Buffer): ScannedBody | null => {
  const scan = scanBody(raw);
  if (scan === null || !scan.duplicates) return scan === null ? null : { body: raw, scan };
  const body = Buffer.from(JSON.stringify(JSON.parse(raw.toString('utf8'))));
  const again = scanBody(body);
  return again === null ? null : { body, scan: again };
};

/** A member that other readers may take for a known one, named in the caller's spelling. */
export const lookalikeError = ({ given, known }: Lookalike): ApiError => ({
  ...callError(
    'ambiguous_member',
    `Invalid request: member "${given.slice(0, 64)}" differs from "${known}" only in case, width or escapes: write "${known}"`,
  ),
  param: given.slice(0, 64),
});

/** The same, or what is wrong with it. */
export const scannedOrError = (raw: Buffer): ScannedBody | ApiError => {
  try {
    const found = scanned(raw);
    if (found === null) return problemOf(raw);
    const { lookalike } = found.scan;
    return lookalike === undefined ? found : lookalikeError(lookalike);
  } catch {
    // Strings are read only where a body has to be rewritten.
    return notJson;
  }
};

/** A field of a form that resembles a known one. */
const lookalikeOfForm = ({ parts }: FormScan): Lookalike | null =>
  lookalikeIn(Object.fromEntries(parts.map(({ name }) => [name, null])));

/** A form as a body, or what is wrong with it. */
export const scannedForm = (body: Buffer, contentType: string): ScannedBody | ApiError => {
  const form = scanForm(body, contentType);
  if (form === null) return notJson;
  const lookalike = lookalikeOfForm(form);
  if (lookalike !== null) return lookalikeError(lookalike);
  const files = filesOf(form);
  const blobBytes = files.reduce((sum, { start, end }) => sum + end - start, 0);
  const ends = { close: body.length, empty: true };
  const scan = {
    members: {},
    duplicates: false,
    ...ends,
    blobBytes,
    blobs: files.length,
    pictures: 0,
    kept: 0,
  };
  return { body, scan, form };
};
