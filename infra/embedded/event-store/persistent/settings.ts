import type { FilterSpec } from '../log/filters.ts';

export type Strategy = 'RoundRobin' | 'DispatchToSingle' | 'Pinned';

/** What a group was created with; kept as JSON. Times in milliseconds. */
export type GroupSettings = Readonly<{
  startFrom: 'start' | 'end' | number;
  /** `startFrom`, made out once: the last place that is not delivered. */
  startAfter: number;
  resolveLinks: boolean;
  extraStatistics: boolean;
  messageTimeoutMs: number;
  maxRetryCount: number;
  checkpointAfterMs: number;
  minCheckpointCount: number;
  maxCheckpointCount: number;
  /** 0: any number. */
  maxSubscriberCount: number;
  liveBufferSize: number;
  readBatchSize: number;
  historyBufferSize: number;
  strategy: Strategy;
  filter: FilterSpec | null;
}>;

/** `stream` is `$all` for a group on the whole log. */
export type GroupKey = Readonly<{ stream: string; group: string }>;

export const allStream = '$all';

export const parkedStreamOf = ({ stream, group }: GroupKey): string =>
  `$persistentsubscription-${stream}::${group}-parked`;
