import type { TaskId } from './events.ts';

export const taskStreamId = (id: TaskId): string => `task-${id}`;
