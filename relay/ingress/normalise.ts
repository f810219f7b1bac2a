import type { BodyScan } from './scan-body.ts';
import { scanBody } from './scan-body.ts';

export type ScannedBody = Readonly<{ body: Buffer; scan: BodyScan }>;

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
