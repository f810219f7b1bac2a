import type { Migration } from '../../../postgres/migrate.ts';

/*
 * Payloads are opaque bytes: clients get back exactly what they sent. Positions are given by the
 * one writer (1, 2, 3 ...), since a sequence would leave gaps and commit out of order.
 */
export const eventStoreMigrations: readonly Migration[] = [
  {
    name: '0001-log',
    statements: `
      create table streams (
        id int8 primary key,
        name text collate "C" not null unique,
        last_revision int8 not null,
        is_tombstoned bool not null,
        metadata_revision int8 not null,
        metadata bytea
      );
      create table events (
        position int8 primary key,
        stream_id int8 not null,
        revision int8 not null,
        event_id uuid not null,
        is_json bool not null,
        created_at_ms int8 not null,
        type text collate "C" not null,
        data bytea not null,
        metadata bytea not null,
        unique (stream_id, revision)
      );
      create index events_by_event_id on events (event_id);
    `,
  },
  {
    name: '0002-persistent-subscriptions',
    statements: `
      create table persistent_subscriptions (
        stream text collate "C" not null,
        group_name text collate "C" not null,
        settings jsonb not null,
        checkpoint int8,
        primary key (stream, group_name)
      );
    `,
  },
  {
    name: '0003-shortened-streams',
    statements: `
      create index shortened_streams on streams (id) where is_tombstoned or metadata is not null;
    `,
  },
  {
    name: '0004-no-persistent-subscriptions',
    statements: 'drop table persistent_subscriptions;',
  },
];
