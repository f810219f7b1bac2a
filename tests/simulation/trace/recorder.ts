import type { Recorded } from '../../../domain/shared/event.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import type { Watcher } from '../world/world.ts';

export type TracedMessage = Readonly<{ from: string; to: string; sentAt: number; at: number }>;
export type TracedNote = Readonly<{
  at: number;
  machine: string;
  kind: 'note' | 'log-line' | 'event';
  text: string;
}>;
export type Trace = Readonly<{
  messages: readonly TracedMessage[];
  notes: readonly TracedNote[];
}>;

const shown = (fields: object): string => {
  const text = JSON.stringify(fields, (_key, value: unknown) =>
    value instanceof Error ? `${value.name}: ${value.message}` : value,
  );
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
};

/** Writes down what the watcher of a world sees. */
export class Recorder implements Watcher {
  readonly messages: TracedMessage[] = [];
  readonly notes: TracedNote[] = [];
  #now: () => number = () => 0;

  /** The time of the history; set when its world is there. */
  begin(now: () => number): void {
    this.#now = now;
  }

  message(from: string, to: string, sentAt: number, at: number): void {
    this.messages.push({ from, to, sentAt, at });
  }

  note(machine: string, text: string): void {
    this.#add('note', machine, text);
  }

  stored(events: readonly Recorded[]): void {
    for (const { event, streamId, revision } of events) {
      const { type, data } = event;
      this.#add('event', 'log', `${streamId}@${revision} ${type} ${shown(data as object)}`);
    }
  }

  logger(machine: string): Logger {
    const say = (level: string) => (fields: object, message: string) =>
      this.#add('log-line', machine, `${level} ${message} ${shown(fields)}`);
    const logger: Logger = {
      debug: () => undefined,
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
      child: () => logger,
    };
    return logger;
  }

  #add(kind: TracedNote['kind'], machine: string, text: string): void {
    this.notes.push({ at: this.#now(), machine, kind, text });
  }
}
