import type pg from 'pg';
import type { StreamState } from '../types.ts';
import type { NewRecord } from './batch.ts';

/*
 * One prepared statement is one round trip and one fsync. All payloads travel in one binary
 * parameter with offsets, since the driver would hex-encode an array of bytea.
 */
const text = `
  with touched as (
    insert into streams (id, name, last_revision, is_tombstoned, metadata_revision, metadata)
    select id, name, last_revision, is_tombstoned, metadata_revision,
           case when metadata_at is null then null else substr($1::bytea, metadata_at, metadata_size) end
    from unnest($2::int8[], $3::text[], $4::int8[], $5::bool[], $6::int8[], $7::int4[], $8::int4[])
      as t(id, name, last_revision, is_tombstoned, metadata_revision, metadata_at, metadata_size)
    on conflict (id) do update set
      last_revision = excluded.last_revision, is_tombstoned = excluded.is_tombstoned,
      metadata_revision = excluded.metadata_revision, metadata = excluded.metadata
  )
  insert into events
    (position, stream_id, revision, event_id, is_json, created_at_ms, type, data, metadata)
  select position, stream_id, revision, event_id, is_json, created_at_ms, type,
         substr($1::bytea, data_at, data_size), substr($1::bytea, data_at + data_size, metadata_size)
  from unnest($9::int8[], $10::int8[], $11::int8[], $12::uuid[], $13::bool[], $14::int8[],
              $15::text[], $16::int4[], $17::int4[], $18::int4[])
    as t(position, stream_id, revision, event_id, is_json, created_at_ms,
         type, data_at, data_size, metadata_size)`;

/** Payloads end to end; `add` answers the place of the part, counted from 1 as SQL does. */
class Blob {
  readonly #parts: Buffer[] = [];
  #size = 0;

  add(part: Buffer): number {
    const at = this.#size + 1;
    this.#parts.push(part);
    this.#size += part.length;
    return at;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts, this.#size);
  }
}

const array = (values: Iterable<number | string | boolean | null>): string => {
  let out = '';
  for (const value of values) out += `${out === '' ? '' : ','}${value ?? 'null'}`;
  return `{${out}}`;
};

export const commit = async (
  client: pg.Client,
  records: readonly NewRecord[],
  changed: ReadonlyMap<string, StreamState>,
): Promise<void> => {
  const blob = new Blob();
  const states = [...changed.values()];
  const metadataAt = states.map(({ metadata }) => (metadata === null ? null : blob.add(metadata)));
  const dataAt = records.map(({ record }) => {
    const at = blob.add(record.data);
    blob.add(record.metadata);
    return at;
  });
  const of = <T>(pick: (entry: NewRecord) => T): T[] => records.map(pick);
  const streams = [
    array(states.map(({ id }) => id)),
    [...changed.keys()],
    array(states.map(({ lastRevision }) => lastRevision)),
    array(states.map(({ isTombstoned }) => isTombstoned)),
    array(states.map(({ metadataRevision }) => metadataRevision)),
    array(metadataAt),
    array(states.map(({ metadata }) => metadata?.length ?? null)),
  ];
  const events = [
    array(of(({ record }) => record.position)),
    array(of(({ streamId }) => streamId)),
    array(of(({ record }) => record.revision)),
    array(of(({ record }) => record.eventId)),
    array(of(({ record }) => record.isJson)),
    array(of(({ record }) => record.createdAtMs)),
    of(({ record }) => record.type),
    array(dataAt),
    array(of(({ record }) => record.data.length)),
    array(of(({ record }) => record.metadata.length)),
  ];
  await client.query({ name: 'commit', text, values: [blob.bytes(), ...streams, ...events] });
};
