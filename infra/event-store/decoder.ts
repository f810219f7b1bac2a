import { eventShapes } from '../../domain/event-shapes.ts';
import type { Actor, Metadata } from '../../domain/shared/event.ts';
import {
  instant,
  number,
  object,
  optional,
  problemAt,
  type Shape,
  text,
} from '../../domain/shared/shape.ts';

/** What of an event is looked at before it is taken for one of ours. */
type StoredEvent = Readonly<{ type: string; data: unknown; metadata: unknown }>;

/** Why an event cannot be read; null when it can. */
export type Decoder = (event: StoredEvent) => string | null;

const metadataShape = object<Metadata>({
  actor: object<Actor>({
    kind: text,
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
  schemaVersion: number,
});

/** Takes the shapes of events by their type; whatever else the log holds cannot be read. */
const createDecoder = (shapes: Readonly<Record<string, Shape<never>>>): Decoder => {
  const known = new Map(Object.entries(shapes));
  return ({ type, data, metadata }) => {
    const shape = known.get(type);
    if (shape === undefined) return 'its type is unknown';
    const ofData = shape(data);
    if (ofData !== null) return problemAt('data', ofData);
    const ofMetadata = metadataShape(metadata);
    return ofMetadata === null ? null : problemAt('metadata', ofMetadata);
  };
};

/** Of the events that this product writes. */
export const decodeProductEvent: Decoder = createDecoder(eventShapes);
