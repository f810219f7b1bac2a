import type { ProviderFacts } from '../provider-facts.ts';

/** The third version of Zhipu's API. */
export const zhipu = {
  id: 16,
  label: { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' },
  colour: 'violet',
  relay: 'adapter',
  baseUrl: 'https://open.bigmodel.cn',
  keyForm: 'id.secret',
  models: ['chatglm_turbo', 'chatglm_pro', 'chatglm_std', 'chatglm_lite'],
} as const satisfies ProviderFacts;
