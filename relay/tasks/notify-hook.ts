import { timingSafeEqual } from 'node:crypto';
import type { TaskId } from '../../domain/task/events.ts';
import type { RelayVault } from '../../infra/ports/vault.ts';

/** Marks of this kind are part of addresses that only the provider of one task was given. */
const markKind = 'task-notify';

export const isSameText = (left: string, right: string): boolean => {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** Where the provider of one task may call back; null while the site has no address. */
export const hookOf = (vault: RelayVault, serverAddress: string, taskId: TaskId): string | null =>
  URL.canParse(serverAddress)
    ? `${serverAddress.replace(/\/+$/, '')}/mj/notify?task=${taskId}.${vault.mark(markKind, taskId)}`
    : null;

/** The task that such a callback address is about; null: the address is forged. */
export const taskOfHook = (vault: RelayVault, url: string): TaskId | null => {
  const query = url.indexOf('?');
  const part = query === -1 ? '' : (new URLSearchParams(url.slice(query)).get('task') ?? '');
  const dot = part.lastIndexOf('.');
  if (dot <= 0) return null;
  const taskId = part.slice(0, dot);
  return vault.isMark(markKind, taskId, part.slice(dot + 1)) ? taskId : null;
};
