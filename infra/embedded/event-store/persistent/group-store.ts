import type pg from 'pg';
import type { GroupKey, GroupSettings } from './settings.ts';

export type StoredGroup = GroupKey &
  Readonly<{ settings: GroupSettings; checkpoint: number | null }>;

type Row = {
  stream: string;
  group_name: string;
  settings: GroupSettings;
  checkpoint: number | null;
};

/** Groups outlive the node: settings and checkpoints in a table, parked events in the log itself. */
export class GroupStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async all(): Promise<StoredGroup[]> {
    const { rows } = await this.#pool.query<Row>(
      'select stream, group_name, settings, checkpoint from persistent_subscriptions',
    );
    return rows.map(({ stream, group_name: group, settings, checkpoint }) => ({
      stream,
      group,
      settings,
      checkpoint,
    }));
  }

  /** A new start forgets the old checkpoint: the group begins where its settings say. */
  async save({ stream, group }: GroupKey, settings: GroupSettings): Promise<void> {
    await this.#pool.query(
      `insert into persistent_subscriptions (stream, group_name, settings) values ($1, $2, $3)
       on conflict (stream, group_name) do update set settings = excluded.settings`,
      [stream, group, JSON.stringify(settings)],
    );
  }

  async checkpoint({ stream, group }: GroupKey, place: number): Promise<void> {
    await this.#pool.query(
      'update persistent_subscriptions set checkpoint = $3 where stream = $1 and group_name = $2',
      [stream, group, place],
    );
  }

  async remove({ stream, group }: GroupKey): Promise<void> {
    await this.#pool.query(
      'delete from persistent_subscriptions where stream = $1 and group_name = $2',
      [stream, group],
    );
  }
}
