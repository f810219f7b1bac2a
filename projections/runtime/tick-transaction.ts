import type { Recorded } from '../../domain/shared/event.ts';
import { type Outcome, outcomeOf, writeWithStep } from './project.ts';
import { schemaOf } from './projector.ts';
import type { TableChanges } from './row-batch.ts';
import type { RowStore, Step } from './row-store.ts';
import type { Member } from './worker.ts';

export type Part = Readonly<{ member: Member; relevant: readonly Recorded[] }>;

/** What ticks have read, for the ticks after them. */
export interface Memory {
  /** Partitions that are there. */
  readonly partitions: Set<string>;
  /** Of one projector; empty when others than ticks have changed its rows. */
  of(member: Member): Map<string, unknown>;
  /** A tick up to here took effect. */
  passed(member: Member, position: bigint): void;
  /** A tick failed: what it made is gone again, and cached values may be what is wrong. */
  clear(): void;
}

type Kept = { at: bigint | null; readonly values: Map<string, unknown> };

/** Rows that are changed without a tick move the checkpoint without one, too. */
export const createMemory = (): Memory => {
  const kept = new Map<string, Kept>();
  const partitions = new Set<string>();
  return {
    partitions,
    of: (member) => {
      const { name } = member.projector;
      const at = member.at?.position ?? null;
      const held = kept.get(name);
      if (held !== undefined && held.at === at) return held.values;
      const values = new Map<string, unknown>();
      kept.set(name, { at, values });
      return values;
    },
    passed: ({ projector }, position) => {
      const held = kept.get(projector.name);
      if (held !== undefined) held.at = position;
    },
    clear: () => {
      kept.clear();
      partitions.clear();
    },
  };
};

export const sharedStep = (members: readonly Member[], to: bigint, eventId: string): Step => ({
  from: members.map(({ projector: { name }, persisted }) => ({ name, at: persisted })),
  to,
  eventId,
});

type Deps = Readonly<{ rows: RowStore; memory: Memory }>;

/** Rows of all parts and the checkpoints of all members, in one transaction. */
export const projectTogether = async (
  { rows, memory }: Deps,
  parts: readonly Part[],
  { position, eventId }: Recorded,
): Promise<ReadonlyMap<Member, readonly TableChanges[]>> => {
  const step = sharedStep(
    parts.map(({ member }) => member),
    position,
    eventId,
  );
  const busy = parts.filter(({ relevant }) => relevant.length > 0);
  const outcomes: Outcome[] = [];
  for (const { member, relevant } of busy) {
    const { projector } = member;
    const { partitions } = memory;
    const place = { rows, schema: schemaOf(projector.name), partitions, memory: memory.of(member) };
    outcomes.push(await outcomeOf({ projector, events: relevant, place }));
  }
  await writeWithStep(rows, outcomes, step);
  return new Map(busy.map(({ member }, index) => [member, outcomes[index]?.changes ?? []]));
};
