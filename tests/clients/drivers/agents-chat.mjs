import { agentCells } from './agents.mjs';

export const notOffered = {
  thinking: 'Chat Completions has no reasoning of its own to send back',
};

export const create = (target) => agentCells(target, { api: 'chat', modelSettings: null });
