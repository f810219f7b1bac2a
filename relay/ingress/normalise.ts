import type { BodyScan } from './scan-body.ts';
import { scanBody } from './scan-body.ts';
import { type FormScan, filesOf, scanForm } from './scan-form.ts';

export type ScannedBody = Readonly<{
  body: Buffer;
  scan: BodyScan;
  /** Where the body is a form; `scan` then finds no members. */
  form?: FormScan;
}>;

/**
 * Scans a body. One that says the same thing twice is rewritten so that it says the last thing
 * once: a provider that reads the first would serve another model than the one that was checked.
 */
export const scanned = (raw: Buffer): ScannedBody | null => {
  const scan = scanBody(raw);
  if (scan === null || !scan.duplicates) return scan === null ? null : { body: raw, scan };
  const body = Buffer.from(JSON.stringify(JSON.parse(raw.toString('utf8'))));
  const again = scanBody(body);
  return again === null ? null : { body, scan: again };
};

/** A form as a body; null when it is none. */
export const scannedForm = (body: Buffer, contentType: string): ScannedBody | null => {
  const form = scanForm(body, contentType);
  if (form === null) return null;
  const files = filesOf(form);
  const blobBytes = files.reduce((sum, { start, end }) => sum + end - start, 0);
  const ends = { close: body.length, empty: true };
  const scan = { members: {}, duplicates: false, ...ends, blobBytes, blobs: files.length };
  return { body, scan, form };
};
