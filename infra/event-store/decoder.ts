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

/** A text is the reason why the event cannot be read; it contains nothing of the event's data. */
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
const upcast = (entry: CatalogueEntry, stored: number, data: unknown): unknown => {
  const { version, firstVersion, upcasters } = entry;
  if (stored === version || !isObject(data)) return data;
  let current = data;
  for (const step of upcasters.slice(stored - firstVersion)) current = step(current);
  return current;
};

const versionProblem = (
  { version, firstVersion }: CatalogueEntry,
  stored: number,
): string | null => {
  if (stored < firstVersion) return `no release wrote its version ${stored}`;
  return stored > version ? `its version ${stored} is newer than ${version}` : null;
};

/** Stored JSON → upcasters of its type → check of its shape. */
export const createDecoder =
  (entryOf: (type: string) => CatalogueEntry | undefined): Decoder =>
  ({ type, data, metadata }) => {
    const entry = entryOf(type);
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

/** Every reader of the log gets its events from here, so that none handles an older shape. */
export const decodeProductEvent: Decoder = createDecoder(catalogueEntryOf);
