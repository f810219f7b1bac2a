import type { NodeContext } from '../node-context.ts';
import { persistentError } from '../wire/errors.ts';
import { writeConfig } from './config-stream.ts';
import { Group } from './group.ts';
import { GroupStore } from './group-store.ts';
import type { GroupKey, GroupSettings } from './settings.ts';

const nameOf = ({ stream, group }: GroupKey): string => JSON.stringify([stream, group]);

/** All persistent subscriptions of the node. Changes go one after the other. */
export class Groups {
  readonly #context: NodeContext;
  readonly #store: GroupStore;
  readonly #groups = new Map<string, Group>();
  #changes: Promise<unknown> = Promise.resolve();

  constructor(context: NodeContext) {
    this.#context = context;
    this.#store = new GroupStore(context.log.pool);
  }

  async load(): Promise<void> {
    const parts = { context: this.#context, store: this.#store };
    for (const stored of await this.#store.all()) {
      this.#groups.set(nameOf(stored), new Group(parts, stored));
    }
  }

  list(): readonly Group[] {
    return [...this.#groups.values()];
  }

  /** @throws ServiceError when there is none */
  get(key: GroupKey): Group {
    const group = this.#groups.get(nameOf(key));
    if (group === undefined) throw persistentError('does-not-exist', key.stream, key.group);
    return group;
  }

  create(key: GroupKey, settings: GroupSettings): Promise<void> {
    return this.#change(async () => {
      if (this.#groups.has(nameOf(key))) throw persistentError('exists', key.stream, key.group);
      await this.#store.save(key, settings);
      this.#start(key, settings, null);
      await this.#announce();
    });
  }

  /** Consumers are dropped and come back to the new settings; the filter stays as created. */
  update(key: GroupKey, settings: GroupSettings): Promise<void> {
    return this.#change(async () => {
      const old = this.get(key);
      await old.stop();
      const { checkpoint } = old.counts;
      const changed = { ...settings, filter: old.settings.filter };
      await this.#store.save(key, changed);
      this.#start(key, changed, checkpoint);
      await this.#announce();
    });
  }

  remove(key: GroupKey): Promise<void> {
    return this.#change(async () => {
      const group = this.get(key);
      this.#groups.delete(nameOf(key));
      await group.stop();
      await this.#store.remove(key);
      await group.parking.clear();
      await this.#announce();
    });
  }

  /** Stops all, and begins anew from what is stored. */
  restart(): Promise<void> {
    return this.#change(async () => {
      await this.stop();
      await this.load();
    });
  }

  async stop(): Promise<void> {
    const groups = this.list();
    this.#groups.clear();
    await Promise.all(groups.map((group) => group.stop()));
  }

  #start(key: GroupKey, settings: GroupSettings, checkpoint: number | null): void {
    const parts = { context: this.#context, store: this.#store };
    this.#groups.set(nameOf(key), new Group(parts, { ...key, settings, checkpoint }));
  }

  async #announce(): Promise<void> {
    const { log } = this.#context;
    await writeConfig(
      log,
      this.list().map(({ key, settings }) => ({ ...key, settings })),
    );
  }

  #change(change: () => Promise<void>): Promise<void> {
    const result = this.#changes.then(change);
    this.#changes = result.catch(() => undefined);
    return result;
  }
}
