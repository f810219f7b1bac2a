import type { Event } from './event.ts';

/** How far a process has come; its stream `process-<name>` keeps the newest one only. */
export type ProcessAdvanced = Event<'ProcessAdvanced', { name: string; position: string }>;
