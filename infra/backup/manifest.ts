import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** A backup that cannot be made or restored, with the reason in one line. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const format = 1;
export const manifestFile = 'manifest.json';

const tableSchema = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  columns: z.array(z.string().regex(/^[a-z_]+$/)).min(1),
  rows: z.int().min(0),
  /** Path of its rows in the backup. */
  file: z.string(),
});

const fileSchema = z.object({
  /** Relative to the backup, with forward slashes. */
  path: z.string().refine((path) => !path.split('/').includes('..') && !path.startsWith('/')),
  bytes: z.int().min(0),
  sha256: z.string(),
});

const manifestSchema = z.object({
  format: z.literal(format),
  /** Of the product that wrote it. */
  version: z.string(),
  createdAt: z.string(),
  /** Position of the last event in the log. */
  head: z.int().min(0),
  /** Steps of the schema of the log, in order. */
  migrations: z.array(z.string()),
  tables: z.array(tableSchema),
  files: z.array(fileSchema),
});

export type CopiedTable = Readonly<z.infer<typeof tableSchema>>;
export type CopiedFile = Readonly<z.infer<typeof fileSchema>>;
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

export const manifestOf = (content: Omit<Manifest, 'format'>): Manifest => ({ format, ...content });

/** How a file of the backup is identified. */
export const describeFile = async (backup: string, path: string): Promise<CopiedFile> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(join(backup, path))) {
    hash.update(piece as Buffer);
    bytes += (piece as Buffer).length;
  }
  return { path, bytes, sha256: hash.digest('hex') };
};

/** @throws BackupError when it is not a whole backup of a supported format */
export const readManifest = async (backup: string): Promise<Manifest> => {
  const text = await readFile(join(backup, manifestFile), 'utf8').catch(() => {
    throw new BackupError(`${backup} is not a backup: it has no ${manifestFile}`);
  });
  const parsed = manifestSchema.safeParse(parseOrNull(text));
  if (!parsed.success) {
    throw new BackupError(`${join(backup, manifestFile)} has an unsupported format`);
  }
  return parsed.data;
};

const parseOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** @throws BackupError when a file is missing or is not what was written */
export const checkFiles = async (backup: string, { files }: Manifest): Promise<void> => {
  for (const file of files) {
    const found = await describeFile(backup, file.path).catch(() => null);
    if (found?.sha256 === file.sha256) continue;
    const problem = found === null ? 'is missing' : 'was changed or is damaged';
    throw new BackupError(`${join(backup, file.path)} ${problem}; nothing was restored`);
  }
};
