import type { ProviderFacts } from '../provider-facts.ts';

/** The fourth version of Zhipu's API. */
export const zhipuV4 = {
  id: 26,
  label: { zh: '智谱 GLM-4V', en: 'Zhipu GLM-4V' },
  colour: 'purple',
  relay: 'adapter',
  baseUrl: 'https://open.bigmodel.cn',
  keyForm: 'plain-or-id.secret',
  listsModels: true,
  models: [
    'glm-4',
    'glm-4v',
    'glm-3-turbo',
    'glm-4-alltools',
    'glm-4-plus',
    'glm-4-0520',
    'glm-4-air',
    'glm-4-airx',
    'glm-4-long',
    'glm-4-flash',
    'glm-4v-plus',
  ],
} as const satisfies ProviderFacts;
