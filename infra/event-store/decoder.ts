import { catalogueEntryOf } from '../../domain/events.ts';
import type { CatalogueEntry, StoredData } from '../../domain/shared/catalogue.ts';
import type { Actor, Metadata } from '../../domain/shared/event.ts';
import {
  instant,
  object,
  optional,
  problemAt,
  type Shape,
  text,
  textOf,
  whole,
} from '../../domain/shared/shape.ts';

/** An event as the log holds it. */
type StoredEvent = Readonly<{ type: string; data: unknown; metadata: unknown }>;
type StoredMetadata = Metadata & Readonly<{ schemaVersion: number }>;

/** An event in the current shape of its type. */
export type DecodedEvent = Readonly<{ data: unknown; metadata: Metadata }>;

/** A text says why the event cannot be read; it holds nothing of the event's data. */
export type Decoder = (event: StoredEvent) => DecodedEvent | string;

const metadataShape: Shape<StoredMetadata> = object({
  actor: object({
    kind: textOf<Actor['kind']>(),
    id: text,
    ip: optional(text),
    sealedIp: optional(text),
    ipMark: optional(text),
  }),
  correlationId: text,
  causationId: text,
  commandId: text,
  commandHash: optional(text),
  occurredAt: instant,
  schemaVersion: whole,
});

const isObject = (data: unknown): data is StoredData => typeof data === 'object' && data !== null;

/** The data in the current version; what is no object is left to the check of its shape. */
const upcast = ({ version, upcasters }: CatalogueEntry, stored: number, data: unknown): unknown => {
  if (stored === version || !isObject(data)) return data;
  let current = data;
  for (const step of upcasters.slice(stored - 1)) current = step(current);
  return current;
};

const versionProblem = ({ version }: CatalogueEntry, stored: number): string | null => {
  if (stored < 1) return `its version ${stored} does not exist`;
  return stored > version ? `its version ${stored} is newer than ${version}` : null;
};

/**
 * Stored JSON → upcasters of its type → check of its shape. Every reader of the log gets its events
 * from here, so no reader knows an older shape.
 */
export const decodeProductEvent: Decoder = ({ type, data, metadata }) => {
  const entry = catalogueEntryOf(type);
  if (entry === undefined) return 'its type is unknown';
  const ofMetadata = metadataShape(metadata);
  if (ofMetadata !== null) return problemAt('metadata', ofMetadata);
  const read = metadata as StoredMetadata;
  const ofVersion = versionProblem(entry, read.schemaVersion);
  if (ofVersion !== null) return ofVersion;
  const current = upcast(entry, read.schemaVersion, data);
  const ofData = entry.shape(current);
  return ofData === null ? { data: current, metadata: read } : problemAt('data', ofData);
};
