import { agentCells } from './agents.mjs';

export const create = (target) =>
  agentCells(target, {
    api: 'responses',
    modelSettings: {
      store: false,
      reasoning: { effort: 'high', summary: 'auto' },
      providerData: { include: ['reasoning.encrypted_content'] },
    },
  });
