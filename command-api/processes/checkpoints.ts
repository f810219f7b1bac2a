import { type LogPlace, logPlaceOf } from '../../domain/shared/log-place.ts';
import type { ProcessAdvanced } from '../../domain/shared/process.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Random } from '../../infra/ports/random.ts';
import { systemMetadata } from '../shared/metadata.ts';

export const checkpointStreamId = (name: string): string => `process-${name}`;

/** `notedAt`: place of its record in the log. */
type Checkpoint = Readonly<{ position: bigint; notedAt: LogPlace }>;

export interface Checkpoints {
  /** null: the process never ran. */
  load(name: string): Promise<Checkpoint | null>;
  save(name: string, position: bigint): Promise<void>;
}

type Settings = Readonly<{ eventStore: EventStore; clock: Clock; random: Random }>;

export const createCheckpoints = ({ eventStore, clock, random }: Settings): Checkpoints => ({
  async load(name) {
    const range = { maxCount: 1, backwards: true };
    const streamId = checkpointStreamId(name);
    await eventStore.boundStream(streamId, { maxCount: 1 });
    for await (const recorded of eventStore.readStream<ProcessAdvanced>(streamId, range)) {
      return { position: BigInt(recorded.event.data.position), notedAt: logPlaceOf(recorded) };
    }
    return null;
  },
  async save(name, position) {
    const metadata = systemMetadata(`process:${name}`, clock, random.uuid());
    const data = { name, position: position.toString() };
    const event: ProcessAdvanced = { type: 'ProcessAdvanced', data };
    const toAppend = { event, eventId: metadata.commandId, metadata };
    await eventStore.append(checkpointStreamId(name), [toAppend], 'any');
  },
});
